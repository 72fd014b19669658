#include "platform/lab/runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <stdexcept>

#include "models/kernel/program_kernel.h"
#include "platform/files/json_text.h"
#include "platform/input/durations_file.h"
#include "platform/input/parameters.h"
#include "platform/input/preset.h"
#include "platform/run/memory_estimate.h"
#include "platform/run/result_bytes.h"
#include "platform/run/simulation.h"
#include "tlm/digest.h"

namespace gputlm {
namespace {

/// All that decides what the launches of a workload do, as text.
std::string workload_text(const Workload& workload) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  for (const ApplicationSpec& a : workload.applications) {
    fmt::format_to(out, "application {} {} {}", a.name, a.sms ? a.sms->to_string() : "", a.relaunch);
    const EngineShare& s = a.share;
    fmt::format_to(out, " {} {} {} {}\n", s.sm_percent.value_or(0), s.thread_percent.value_or(0),
                   s.time_slice.value_or(0), s.timeslice_priority ? to_string(*s.timeslice_priority) : "-");
  }
  for (const StreamSpec& s : workload.streams) {
    fmt::format_to(out, "stream {} {} {} {}\n", s.name, s.application, s.priority, static_cast<int>(s.kind));
  }
  for (const TaskSpec& t : workload.tasks) {
    fmt::format_to(out, "task {} {} {}\n", t.name, t.application, t.deadline ? fmt::to_string(*t.deadline) : "-");
  }
  for (const JobSpec& j : workload.jobs) {
    fmt::format_to(out, "job {} {} {} {}\n", j.task, j.number, j.release, j.phase);
  }
  const auto job = [](std::optional<std::uint32_t> number) { return number ? fmt::to_string(*number) : "-"; };
  std::map<const Kernel*, std::size_t> numbers;  // kernels are launched again and again
  for (const LaunchCommand& l : workload.launches) {
    const Kernel& k = *l.kernel;
    const auto [number, is_new] = numbers.emplace(&k, numbers.size());
    if (is_new) {
      const std::string source = k.source();
      if (source.empty()) return "";
      fmt::format_to(out, "kernel {} {} {} {} {} {} {} {} {}\n{}\n", k.name, k.grid.x, k.grid.y, k.grid.z, k.block.x,
                     k.block.y, k.block.z, k.registers_per_thread, k.shared_memory, source);
    }
    fmt::format_to(out, "launch {} {} {} {} {} {} {} {} {} {} {}\n", l.label, l.stream, number->second, l.release,
                   l.budget, l.deadline ? fmt::to_string(*l.deadline) : "-",
                   l.alone_cycles ? fmt::to_string(*l.alone_cycles) : "-", static_cast<int>(l.cache_config), l.phase,
                   job(l.job), l.sms ? l.sms->to_string() : "");
  }
  for (const CopyCommand& c : workload.copies) {
    fmt::format_to(out, "copy {} {} {} {} {} {} {} {} {}\n", c.label, c.stream, to_string(c.kind), c.from, c.to,
                   c.bytes, c.pageable, c.blocking, job(c.job));
  }
  for (const ManagedAllocation& m : workload.managed) {
    fmt::format_to(out, "managed {} {} {}\n", m.name, m.address, m.bytes);
  }
  for (const EventSpec& e : workload.events) fmt::format_to(out, "event {} {}\n", e.name, e.application);
  for (const ThreadSpec& t : workload.threads) {
    fmt::format_to(out, "thread {} {}\n", t.name, t.application);
    for (const HostCall& c : t.calls) {
      fmt::format_to(out, "call {} {} {} {} {}\n", static_cast<int>(c.kind), c.stream, c.what, c.time, c.count);
    }
  }
  return fmt::to_string(text);
}

}  // namespace

GpuConfig experiment_gpu(const std::string& preset, const ParameterSettings& settings) {
  GpuConfig config = load_gpu(preset);
  const Origin origin{"experiment on " + preset, 0};
  for (const auto& [key, value] : settings) set_parameter(config, key, value, origin);
  validate(config, origin);
  return config;
}

std::shared_ptr<Kernel> spin_kernel(std::uint32_t blocks, std::uint32_t threads, Femtoseconds time,
                                    Femtoseconds per_sm) {
  ProgramSpec spec;
  spec.name = "spin";
  spec.grid = {blocks};
  spec.block = {threads};
  spec.registers_per_thread = 16;
  spec.body = {spin(time, per_sm)};
  return std::make_shared<ProgramKernel>(spec, 0);
}

Workload workload_of_streams(unsigned streams) {
  Workload workload;
  workload.applications = {{"experiment"}};
  for (unsigned i = 0; i < streams; ++i) workload.streams.push_back({fmt::format("s{}", i), 0, 0});
  return workload;
}

std::size_t launch(Workload& workload, StreamId stream, std::shared_ptr<Kernel> kernel, Femtoseconds release,
                   unsigned phase) {
  const std::size_t id = workload.launches.size();
  LaunchCommand command;
  command.label = fmt::format("k{}", id);
  command.stream = stream;
  command.kernel = std::move(kernel);
  command.release = release;
  command.phase = phase;
  workload.launches.push_back(std::move(command));
  return id;
}

std::vector<ApplicationId> applications_by_launch(const Workload& workload) {
  std::vector<ApplicationId> applications;
  for (const LaunchCommand& l : workload.launches) applications.push_back(workload.streams[l.stream].application);
  return applications;
}

std::vector<SmId> LaunchOutcome::sms() const {
  std::vector<SmId> sms;
  sms.reserve(blocks.size());
  for (const BlockRecord& b : blocks) sms.push_back(b.sm);
  return sms;
}

GpuRun Run::gpu_run() {
  return {config, durations, [this] { return workload; }};
}

RunDigests Run::digests() const {
  const std::string text = workload_text(workload);
  std::string configuration = json_text(to_json(config));
  if (durations) {
    configuration += to_text(*durations);
  } else if (config.sm.durations != "none") {
    configuration += file_digest(config.sm.durations);
  }
  return {program_digest(), digest(configuration), text.empty() ? "" : digest(text)};
}

Job Run::job() const {
  const RunDigests d = digests();
  std::string id;
  if (!d.inputs.empty()) {
    id = digest(fmt::format("run {} {} {} {} {}", d.program, keep_blocks, keep_predictions, d.configuration, d.inputs));
  }
  return {std::move(id),
          [this](const Execution& execution) {
            RunOptions options;
            options.window = execution.window;
            options.threads = execution.threads;
            options.keep_blocks = keep_blocks;
            options.keep_predictions = keep_predictions;
            options.durations = durations.get();
            const RunResult result = simulate(config, workload, options);
            if (result.state != RunState::kComplete) {
              throw std::runtime_error(fmt::format("the run ended {}", to_string(result.state)));
            }
            return to_bytes(result);
          },
          estimated_memory(config, workload)};
}

RunResult Run::result(std::string_view bytes) { return result_from_bytes(bytes); }

std::vector<LaunchOutcome> launch_outcomes(const RunResult& result) {
  std::vector<LaunchOutcome> outcomes(result.kernels.size());
  for (const KernelRecord& k : result.kernels) {
    LaunchOutcome& o = outcomes.at(k.id);
    o.released = k.released;
    o.arrived = k.arrived;
    o.first_block = k.first_block;
    o.end = k.end;
    o.notified = k.notified;
    o.l1_sector_hits = k.counters.l1_sector_hits;
    o.l1_sector_misses = k.counters.l1_sector_misses;
  }
  for (const BlockRecord& block : result.blocks) outcomes.at(block.kernel).blocks.push_back(block);
  for (const PredictionRecord& p : result.predictions) outcomes.at(p.made.kernel).predictions.push_back(p);
  for (LaunchOutcome& o : outcomes) {
    std::sort(o.blocks.begin(), o.blocks.end(),
              [](const BlockRecord& a, const BlockRecord& b) { return a.block < b.block; });
  }
  return outcomes;
}

std::string list_text(const std::vector<SmId>& sms) { return fmt::format("[{}]", fmt::join(sms, ", ")); }

}  // namespace gputlm
