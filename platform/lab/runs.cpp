#include "platform/lab/runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <sstream>
#include <stdexcept>

#include "models/kernel/program_kernel.h"
#include "platform/lab/isolated.h"
#include "platform/input/parameters.h"
#include "platform/input/preset.h"
#include "platform/run/simulation.h"

namespace gputlm {
namespace {

/// Runs return their outcome as text, because processes share no memory: numbers, a launch after the other.
std::string outcome_text(const RunResult& result) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  for (const KernelRecord& k : result.kernels) {
    fmt::format_to(out, "{} {} {} {} {} {} {} {}\n", k.id, k.released, k.arrived, k.first_block, k.end, k.notified,
                   k.counters.l1_sector_hits, k.counters.l1_sector_misses);
  }
  fmt::format_to(out, "{}\n", result.blocks.size());
  for (const BlockRecord& b : result.blocks) {
    fmt::format_to(out, "{} {} {} {} {}\n", b.kernel, b.block, b.sm, b.start, b.end);
  }
  for (const PredictionRecord& p : result.predictions) {
    const Prediction& m = p.made;
    fmt::format_to(out, "{} {} {} {} {} {} {} {} {}\n", m.kernel, m.sm, m.first_of_slice ? 1 : 0, m.at, m.done_blocks,
                   m.total_blocks, m.t, m.predicted, p.actual.value());
  }
  return fmt::to_string(text);
}

std::vector<LaunchOutcome> parse_outcome(const std::string& text, std::size_t launches) {
  std::istringstream in(text);
  std::vector<LaunchOutcome> outcomes(launches);
  for (std::size_t i = 0; i < launches; ++i) {
    std::size_t id = 0;
    LaunchOutcome o;
    in >> id >> o.released >> o.arrived >> o.first_block >> o.end >> o.notified >> o.l1_sector_hits >>
        o.l1_sector_misses;
    outcomes.at(id) = o;
  }
  std::size_t blocks = 0;
  in >> blocks;
  for (std::size_t i = 0; i < blocks; ++i) {
    BlockRecord b;
    in >> b.kernel >> b.block >> b.sm >> b.start >> b.end;
    outcomes.at(b.kernel).blocks.push_back(b);
  }
  Cycle actual = 0;
  for (Prediction m; in >> m.kernel >> m.sm >> m.first_of_slice >> m.at >> m.done_blocks >> m.total_blocks >> m.t >>
                     m.predicted >> actual;) {
    outcomes.at(m.kernel).predictions.push_back({m, actual});
  }
  for (LaunchOutcome& o : outcomes) {
    std::sort(o.blocks.begin(), o.blocks.end(),
              [](const BlockRecord& a, const BlockRecord& b) { return a.block < b.block; });
  }
  return outcomes;
}

}  // namespace

GpuConfig experiment_gpu(const std::string& preset, const std::vector<std::pair<std::string, std::string>>& settings) {
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

std::vector<SmId> LaunchOutcome::sms() const {
  std::vector<SmId> sms;
  sms.reserve(blocks.size());
  for (const BlockRecord& b : blocks) sms.push_back(b.sm);
  return sms;
}

std::vector<std::vector<LaunchOutcome>> run_all(const std::vector<Run>& runs, unsigned parallel,
                                                bool keep_predictions) {
  std::vector<std::function<std::string()>> jobs;
  jobs.reserve(runs.size());
  for (const Run& run : runs) {
    jobs.emplace_back([&run, keep_predictions] {
      RunOptions options;
      options.keep_blocks = true;
      options.keep_predictions = keep_predictions;
      const RunResult result = simulate(run.config, run.workload, options);
      if (result.state != RunState::kComplete) {
        throw std::runtime_error(fmt::format("the run ended {}", to_string(result.state)));
      }
      return outcome_text(result);
    });
  }
  const std::vector<std::string> texts = run_isolated(jobs, parallel);
  std::vector<std::vector<LaunchOutcome>> outcomes;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    outcomes.push_back(parse_outcome(texts[i], runs[i].workload.launches.size()));
  }
  return outcomes;
}

std::string list_text(const std::vector<SmId>& sms) { return fmt::format("[{}]", fmt::join(sms, ", ")); }

}  // namespace gputlm
