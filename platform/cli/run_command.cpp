#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "models/sm/blocks/table.h"
#include "models/sm/sm_model.h"
#include "platform/bounds/model.h"
#include "platform/bounds/study.h"
#include "platform/cli/commands.h"
#include "platform/cli/host_process.h"
#include "platform/cli/input_arguments.h"
#include "platform/cli/many_runs.h"
#include "platform/cli/summary.h"
#include "platform/files/json_text.h"
#include "platform/files/output_folder.h"
#include "platform/files/run_folder.h"
#include "platform/files/terminal.h"
#include "platform/input/durations_file.h"
#include "platform/lab/calibration.h"
#include "platform/probes/probe.h"
#include "platform/run/check_fits.h"
#include "platform/run/contention_setup.h"
#include "platform/run/responses.h"
#include "platform/run/result_json.h"
#include "platform/run/simulation.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

/// `gputlm run --fast`: SMs that run blocks (docs/blocks.md), without a file of durations. This key=value precedes those of
/// --set.
constexpr const char* kFastModel = "sm.model=blocks";

/// Additional input of a run on SMs that run blocks, and its accuracy.
struct FastRun {
  std::shared_ptr<const DurationTable> durations;  ///< null: not needed, or in sm.durations
  std::string how;                                 ///< text that says what was measured, or why nothing was
  std::string expect = {};                         ///< expected error of results; empty: they are exact
};

/// Errors of kernels' turnarounds in random mixes, from gputlm reproduce blocks/error and the quick form of
/// blocks/error-requests, relative to SMs that run warps: mean and 95th percentile, per cent (docs/blocks.md).
constexpr const char* kErrorOfClosedForm = "3.8 % off on average, one in twenty by 15.5 % or more";
constexpr const char* kErrorWithRequests = "4.1 % off on average, one in twenty by 12.6 % or more";

/// The error of kernels whose blocks are too long to be measured: docs/blocks.md, "Measurement", from seven kernels.
std::string error_of_cut(const DurationTable& table) {
  std::string names;
  const auto add = [&](const DurationTable& one) {
    for (const KernelDurations& kernel : one.kernels) {
      if (kernel.cut) names += (names.empty() ? "" : ", ") + kernel.name;
    }
  };
  add(table);
  std::for_each(table.others.begin(), table.others.end(), add);
  if (names.empty()) return "";
  return "; measured by shorter blocks, up to 10 % further off, and more where caches fill slowly: " + names;
}

/// Measures block durations, or uses stored ones. With address translation the configuration reverts to SMs that run warps.
/// Throws InputError if the user has chosen SMs that run blocks, Interrupted if the user stops it.
FastRun prepare_fast_run(LoadedInput& loaded, std::uint64_t seed) {
  GpuConfig& config = loaded.config;
  const Workload& workload = loaded.input.workload;
  const auto model = [&]() -> const PolicyInfo& { return sm_models().at(config.sm.model); };
  if (!model().has(Property::kNeedsDurations)) {
    throw InputError(fmt::format("--fast: found sm.model={}, allowed: {}", config.sm.model,
                                 SmConfig().model == config.sm.model ? "blocks, blocks_requests" : "blocks"));
  }
  const auto spins = [](const LaunchCommand& launch) { return only_spins(*launch.kernel); };
  const bool only_spins = std::all_of(workload.launches.begin(), workload.launches.end(), spins);
  const bool demands = has_demands(config, workload);
  if (only_spins && !demands) return {nullptr, kExactForSpins};
  const std::string error = model().has(Property::kSendsRequests) ? kErrorWithRequests : kErrorOfClosedForm;
  const std::string expect = only_spins ? "" : "expect kernels to be " + error + " (docs/blocks.md says where more)";
  if (config.sm.durations != "none") return {nullptr, "durations of " + config.sm.durations, expect};

  ManyRuns runs;
  runs.begin();
  runs.name("durations of blocks");
  JobOptions options;
  runs.set(options);
  std::shared_ptr<const DurationTable> table;
  prepare({{config, table, [&] { return workload; }}}, options);
  const std::string made = runs.end();
  if (!table) return {nullptr, "addresses are translated (mmu.enabled), which SMs that run blocks do not support"};
  auto seeded = std::make_shared<DurationTable>(*table);
  seeded->seed = seed;
  const std::string how =
      only_spins ? "kernels have demands; the memory's capacities were measured with SMs that run warps; " + made
                 : fmt::format("durations of blocks measured: kernels {}, pairs of kernels {}; {}",
                               table->all_kernels(), table->all_pairs(), made);
  return {seeded, how, expect + error_of_cut(*table)};
}

std::string progress_text(const Progress& p, double seconds) {
  std::string left = "?";
  if (p.blocks_done > 0) {
    const double rest = static_cast<double>(p.blocks - p.blocks_done) / static_cast<double>(p.blocks_done);
    left = fmt::format("{:.0f} s", seconds * rest);
  }
  return fmt::format("cycle {}, {} of {} blocks, {} of {} kernels, {:.2f} Mcycle/s, {} left", p.cycles, p.blocks_done,
                     p.blocks, p.kernels_done, p.kernels, static_cast<double>(p.cycles) / seconds / 1e6, left);
}

/// The cost of the run itself, which differs between runs and machines.
struct Performance {
  double wall = 0, user = 0;  ///< time in seconds
  std::uint64_t cycles = 0, instructions = 0;
  unsigned threads = 1;
  double together = 0;  ///< share of the windows computed by all threads
  double per_second(std::uint64_t count) const {
    return static_cast<double>(count) / std::max(user, 1e-6);  // resolution of the clock: a short run may show none
  }
  /// `result`: digest of the result.json that it belongs to. `command`: the words of the command line.
  std::string json(const std::string& result, const std::vector<std::string>& command) const {
    return json_text({{"command", command},
                      {"wall_seconds", wall},
                      {"user_seconds", user},
                      {"threads", threads},
                      {"windows_by_all_threads", together},
                      {"cycles_per_user_second", per_second(cycles)},
                      {"warp_instructions_per_user_second", per_second(instructions)},
                      {"result", result}});
  }
  std::string text() const {
    std::string text = fmt::format("{:.2f} s wall, {:.2f} s user: {:.3f} Mcycle/s, {:.3f} million warp instructions/s",
                                   wall, user, per_second(cycles) / 1e6, per_second(instructions) / 1e6);
    if (threads > 1) {
      text += together > 0
                  ? fmt::format("; {} threads computed {:.0f} % of the windows together", threads, 100 * together)
                  : "; one thread computed all windows, since more threads would not have helped";
    }
    return text;
  }
};

/// For --check-bounds: measures jobs alone, or uses stored results. Throws InputError if no task can be analysed, Interrupted
/// if the user stops it.
AloneTimes jobs_alone(const GpuConfig& config, const Workload& workload,
                      const std::shared_ptr<const DurationTable>& durations) {
  ManyRuns runs;
  runs.begin();
  runs.name("jobs alone");
  JobOptions options;
  runs.set(options);
  AloneTimes alone = measure_alone(config, {workload}, durations, options);
  runs.end();
  return alone;
}

/// Reports tasks without a bound, and responses above a bound or that none is above; returns whether none is above.
bool bounds_hold(const GpuConfig& config, const Workload& workload, const AloneTimes& alone, const RunResult& result) {
  const std::vector<TaskBound> bounds =
      bounds_of(config, {&workload}, alone, longest_switches(workload, {&result.engine_slices}));
  for (std::size_t t = 0; t < bounds.size(); ++t) {
    if (!bounds[t].bound.cycles)
      print_warning(fmt::format("--check-bounds: task '{}': {}", workload.tasks[t].name, bounds[t].bound.why));
  }
  const std::vector<JobAboveBound> above = jobs_above(bounds, workload, result.jobs);
  for (const JobAboveBound& one : above) {
    print_failure(fmt::format("task '{}': bound broken: {} took {} cycles, the bound is {}",
                              workload.tasks[workload.jobs[one.job.job].task].name,
                              job_label(workload, one.job.job, one.job.iteration), one.response, one.bound));
  }
  if (above.empty()) {
    const auto checked = std::count_if(result.jobs.begin(), result.jobs.end(), [&](const JobEnded& job) {
      return bounds[workload.jobs[job.job].task].bound.cycles.has_value();
    });
    print_error(fmt::format("bounds: no response above its bound, of {} jobs", checked));
  }
  return above.empty();
}

class RunCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override;
  int execute() override;

 private:
  InputArguments input_;
  std::string out_;
  std::vector<std::string> probes_;
  unsigned window_ = 0;
  unsigned threads_ = 1;
  std::optional<std::uint64_t> cycle_limit_;
  std::optional<std::uint64_t> max_memory_;  ///< memory limit in MiB
  bool check_protocol_ = false;
  bool check_bounds_ = false;
  bool json_ = false;
  bool force_ = false;
  bool fast_ = false;
};

void RunCommand::declare(Arguments& arguments) {
  constexpr std::uint64_t kMaxCycles = 1'000'000'000'000;  // simulated time is finite: 2^64 fs are five hours
  input_.declare(arguments);
  arguments.text("--out", out_, "Folder for result.json, timeline.json and the other files of the run",
                 Values::folder());
  arguments.flag("--force", force_, "Replace the result of another input in the folder of --out");
  arguments.texts("--probe", probes_, "Attach a probe, may be repeated (gputlm list probes); its files go to --out",
                  Values::names("NAME[=VALUE]", {"probes"}));
  for (const ProbeInfo& probe : gputlm::probes()) {
    if (!probe.option) continue;
    arguments.text(
        probe.option->name,
        [this, name = probe.name](const std::string& value) { probes_.push_back(name + "=" + value); },
        probe.option->meaning);
  }
  arguments.number("--window", window_,
                   "Look-ahead in core cycles; a unit computes one or two of them at a time; does not change results "
                   "(default: the shortest hop)");
  arguments.number("--threads", threads_, "Number of threads; does not change results", 256, 1);
  arguments.number("--max-cycles", cycle_limit_, "End the run after this many core cycles, incomplete", kMaxCycles, 1);
  arguments.number("--max-memory", max_memory_,
                   "Refuse a run whose estimated memory exceeds this many MiB (default: 3/4 of the machine's)",
                   std::uint64_t{1} << 40);
  arguments.flag("--fast", fast_,
                 "Use SMs that run blocks (sm.model=blocks); measures block durations first, stores them for the next "
                 "time, and reports the error of results (docs/blocks.md)");
  arguments.flag("--check-protocol", check_protocol_, "Check the TLM-2.0 base protocol on every socket");
  arguments.flag("--check-bounds", check_bounds_,
                 "Fail if a job exceeds the bound of its task (docs/bounds.md); runs each job alone first");
  arguments.flag("--json", json_, "Print result.json instead of a summary");
  arguments.example("run workloads/mixed.yaml --gpu xavier --out results", "a workload on a GPU; files into a folder");
  arguments.example("run workloads/gups.yaml --set dram.scheduler=fcfs --set sm.warp_scheduler=gto --json",
                    "policies other than those of the GPU; the result as JSON");
  arguments.example("run workloads/ercbench/sha1.yaml --gpu gtx480 --fast",
                    "on SMs that run blocks: seconds instead of minutes, some per cent off");
  arguments.example("run TRACES/kernelslist.g --gpu volta80", "SASS traces of Accel-Sim's tracer");
  arguments.example("run timeline.sqlite --release start", "a capture of Nsight Systems, at the measured times");
}

int RunCommand::execute() {
  LoadedInput loaded = input_.load(fast_ ? std::vector<std::string>{kFastModel} : std::vector<std::string>{});
  check_fits(loaded.config, loaded.input.workload);
  const bool measures = fast_ || has_demands(loaded.config, loaded.input.workload);
  const FastRun fast = measures ? prepare_fast_run(loaded, input_.seed()) : FastRun{};
  const RunInput& input = loaded.input;
  const GpuConfig& config = loaded.config;
  const Workload& workload = input.workload;
  check_memory(config, {input_.gpu(), 0}, loaded.origins, workload,
               max_memory_ ? *max_memory_ << 20 : default_memory_limit());

  std::optional<AloneTimes> alone;
  if (check_bounds_) alone = jobs_alone(config, workload, fast.durations);

  const std::vector<std::string>& chosen = workload.settings;
  const std::string model = "sm.model=" + config.sm.model;
  if (measures) {
    print_error(fmt::format("{}: {}", model, fast.how));
  } else if (!input.why_sm_model.empty() && std::find(chosen.begin(), chosen.end(), model) != chosen.end()) {
    print_error(fmt::format("{}: {}", model, input.why_sm_model));
  }
  const nlohmann::ordered_json provenance = provenance_of(input, input_.files(), config, input_.seed());
  RunOptions options;
  options.window = window_;
  options.threads = threads_;
  options.check_protocol = check_protocol_;
  options.durations = fast.durations.get();
  options.predict = json_ || !out_.empty();  // both contain predictions
  if (cycle_limit_) options.cycle_limit = *cycle_limit_;
  catch_interrupts();
  std::optional<OutputFolder> folder;  // opened before the run, so that no result is lost
  if (!out_.empty()) {
    folder.emplace(out_, run_files::kResult).file(run_files::kPerformance);
    if (!force_) check_earlier_result(out_ + "/" + run_files::kResult, provenance);
    folder->file(run_files::kResponses);
    if (fast.durations) folder->file(run_files::kDurations).write(to_text(*fast.durations));
    for (const std::string& probe : gputlm::probes().names()) {
      const auto& unasked = gputlm::probes().find(probe)->unasked;
      if (unasked && unasked(workload)) probes_.push_back(probe);
    }
    if (!has_few_blocks(workload)) {
      print_error(
          fmt::format("more than {} blocks: blocks.csv and predictions.csv have one line per block, so only --probe "
                      "blocks and --probe predictions write them, and timeline.json has no blocks",
                      kMostBlocksUnasked));
    }
  }
  ProbeSet probes(probes_, folder ? &*folder : nullptr);
  options.probes = &probes;
  Performance performance;
  performance.threads = threads_;
  options.windows = [&](std::uint64_t all, std::uint64_t together) {
    performance.together = static_cast<double>(together) / static_cast<double>(std::max<std::uint64_t>(all, 1));
  };
  const double user_before = user_seconds();
  const auto began = std::chrono::steady_clock::now();
  RunResult result;
  {
    ProgressLine progress;
    options.proceed = [&](const Progress& p) {
      progress.show([&](double seconds) { return progress_text(p, seconds); });
      return !interrupted();
    };
    result = simulate(config, workload, options);
  }
  performance.user = user_seconds() - user_before;
  performance.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  performance.cycles = result.cycles;
  result.warnings = input.warnings();
  for (const std::string& line : without_effect(config, workload)) result.warnings.push_back(line);
  if (!fast.expect.empty()) result.warnings.push_back(model + ": " + fast.expect);
  performance.instructions = result.units.total<SmStatistics>().instructions;
  const Clock clock = Clock::from_mhz(config.core_mhz);
  nlohmann::ordered_json json;
  const auto write_result = [&](const std::function<void(std::string_view)>& sink) {
    write_json(json, lists_of(result, config, workload), sink);
  };
  if (json_ || folder) {
    json = to_json(result, config, workload, input_.seed());
    json["version"] = GPUTLM_VERSION;
    json["input"] = provenance.at("input");
    if (folder) {
      folder->file(run_files::kResponses).write(responses_csv(all_responses(result, workload, clock), workload));
      json["files"] = probes.digests();
      json["files"][run_files::kResponses] = folder->file(run_files::kResponses).digest();
      if (fast.durations) json["files"][run_files::kDurations] = folder->file(run_files::kDurations).digest();
    }
  }
  if (folder) {
    AtomicFile& file = folder->file(run_files::kResult);
    write_result([&](std::string_view part) { file.write(part); });
    folder->file(run_files::kPerformance).write(performance.json(file.digest(), words));
    folder->commit();
  }
  release_interrupts();
  if (json_) {
    write_result(print);
  } else {
    print(summary(result, config, workload));
    for (const ResultSection& section : result_sections()) {
      for (const std::string& line : section.lines(result, config, workload)) print(line + "\n");
    }
  }
  for (const std::string& warning : result.warnings) print_warning(warning);
  if (check_protocol_) {
    print_error(fmt::format("TLM-2.0 base protocol: no violation in {} transactions over {} sockets",
                            result.checked_transactions, result.checked_sockets));
  }
  print_error(performance.text());
  const bool holds = !alone || bounds_hold(config, workload, *alone, result);
  switch (result.state) {
    case RunState::kComplete: return holds ? kDone : kDisagrees;
    case RunState::kDeadlocked:
      print_failure(fmt::format("deadlock at cycle {}: nothing can make progress", result.cycles));
      for (const std::string& line : result.waiting) print_error("  " + line);
      return kDeadlocked;
    case RunState::kInterrupted:
      print_failure(fmt::format("interrupted at cycle {}; the result is marked incomplete", result.cycles));
      return kInterruptedBySignal;
    case RunState::kCycleLimit:
      print_failure("stopped at the cycle limit; the result is marked incomplete");
      return kDone;
    case RunState::kTimeLimit:
      print_failure(fmt::format("simulated time ended at cycle {}, after five hours; the result is marked incomplete",
                                result.cycles));
      return kTimeEnded;
  }
  return kDone;
}

GPUTLM_REGISTER { add_command<RunCommand>("run", "Run a workload on a GPU", CommandGroup::kRun); }

}  // namespace

}  // namespace gputlm
