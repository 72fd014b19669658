/// Compares a replay with the measurement: the errors of durations and starts. If the program ran alone on the GPU that it
/// was measured on, it also says which assumption its capture violates.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "platform/files/rows.h"
#include "platform/programs/replay.h"
#include "platform/run/result.h"
#include "platform/run/result_json.h"

namespace gputlm {
namespace {

/// Errors of kernels or of copies.
struct ReplayErrors {
  std::size_t count = 0;
  double start_median_ns = 0, start_worst_ns = 0;
  double duration_median = 0, duration_worst = 0;  ///< relative to the measured duration
  std::string worst;                               ///< label of the worst one

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = ReplayErrors;
    v.field(&R::count, "count", Value{}, "Number of commands compared");
    v.field(&R::start_median_ns, "start_error_median_ns", Value{"ns"}, "Median of the absolute errors");
    v.field(&R::start_worst_ns, "start_error_worst_ns", Value{"ns"}, "Maximum of the absolute errors");
    v.field(&R::duration_median, "duration_error_median", Value{},
            "Median of the absolute errors relative to the measured duration");
    v.field(&R::duration_worst, "duration_error_worst", Value{}, "Maximum of these");
    v.field(&R::worst, "worst", Value{}, "Label of the command with that maximum");
  }
};

/// An entry of `replay`.
struct ReplayVerdict {
  const ReplayedProgram* program = nullptr;
  bool alone = false;     ///< nothing else ran
  bool same_gpu = false;  ///< the same number of SMs as the measured GPU
  double length_ns = 0;   ///< as measured: from the start of the first command to the end of the last one
  double model_length_ns = 0;
  std::size_t not_ended = 0;  ///< number of its commands that did not end in the run
  ReplayErrors kernels, copies;
  /// If starts are off by more than 1 % of the program's length in the median, or a kernel's duration by more than 5 %: the
  /// reason, and what to do. Empty if they are not, or if this cannot be judged.
  std::string broken;

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = ReplayVerdict;
    v.field([](const R& r) -> const std::string& { return r.program->path; }, "capture", Value{},
            "File of the capture");
    v.field([](const R& r) { return release_names()[static_cast<std::size_t>(r.program->release)]; }, "release",
            Value{}, "`program`, `launch`, `start` or `none`");
    v.field([](const R& r) -> const std::string& { return r.program->gpu.name; }, "measured_gpu", Value{},
            "GPU of the measurement, as the capture names it");
    v.field(&R::same_gpu, "same_gpu", Value{}, "Whether the GPU has the same number of SMs");
    v.field(&R::alone, "alone", Value{}, "Whether nothing else ran");
    v.field(&R::length_ns, "measured_ns", Value{"ns"}, "Length of the program, as measured");
    v.field(&R::model_length_ns, "model_ns", Value{"ns"}, "The same in this run");
    v.field(&R::not_ended, "not_ended", Value{"commands"}, "Number of commands that did not end in this run");
    v.field([](const R& r) { return r.program->with_demand; }, "with_demand", Value{"kernels"},
            "Number of kernels with a profile; only with a profile");
    v.record(&R::kernels, "kernels", "Errors of kernels");
    v.record(&R::copies, "copies", "Errors of copies and memsets");
    v.field([](const R& r) { return r.broken.empty() ? std::nullopt : std::optional(r.broken); }, "broken", Value{},
            "Assumption that the capture violates; only if the replay deviates although it should not");
  }
};

constexpr double kMostStart = 0.01, kMostDuration = 0.05;

struct Compared {
  const ReplayedCommand* command;
  double start, end;  ///< times in the model, in ns
};

/// Times of the programs' commands in the run, by label.
std::unordered_map<std::string, std::pair<double, double>> times_of(const RunResult& result, const GpuConfig& config,
                                                                    const Workload& workload) {
  const double ns = 1e3 / config.core_mhz;
  std::unordered_map<std::string, std::pair<double, double>> times;
  for (const KernelRecord& kernel : result.kernels) {
    if (kernel.iteration != 0) continue;
    // A profiler's time of a kernel includes the GPU's overhead before its first block and after its last.
    const double start = static_cast<double>(kernel.first_block) - config.work_distributor.kernel_launch_latency;
    const double end = static_cast<double>(kernel.end) + config.work_distributor.kernel_completion_latency;
    times[workload.launches[kernel.command].label] = {start * ns, end * ns};
  }
  for (const CopyRecord& copy : result.copies) {
    if (copy.iteration == 0)
      times[workload.copies[copy.command].label] = {static_cast<double>(copy.started) * ns,
                                                    static_cast<double>(copy.ended) * ns};
  }
  return times;
}

ReplayErrors errors_of(const std::vector<Compared>& all, bool copies, double model_zero, double measured_zero) {
  ReplayErrors errors;
  std::vector<double> starts, durations;
  for (const Compared& compared : all) {
    const ReplayedCommand& command = *compared.command;
    if (command.is_copy != copies) continue;
    starts.push_back(std::abs(compared.start - model_zero - (static_cast<double>(command.start) - measured_zero)));
    const auto measured = static_cast<double>(command.end - command.start);
    if (measured <= 0) continue;
    durations.push_back(std::abs(compared.end - compared.start - measured) / measured);
    if (durations.back() > errors.duration_worst) {
      errors.duration_worst = durations.back();
      errors.worst = command.label;
    }
  }
  const auto median = [](std::vector<double>& values) {
    if (values.empty()) return 0.0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  };
  errors.count = starts.size();
  errors.start_worst_ns = starts.empty() ? 0 : *std::max_element(starts.begin(), starts.end());
  errors.start_median_ns = median(starts);
  errors.duration_median = median(durations);
  return errors;
}

const ProgramCheck* check_of(const ReplayedProgram& program, const char* name) {
  const auto found =
      std::find_if(program.checks.begin(), program.checks.end(), [&](const auto& c) { return c.name == name; });
  return found == program.checks.end() ? nullptr : &*found;
}

/// The first reason that applies.
std::string reason(const ReplayVerdict& verdict) {
  const ReplayedProgram& program = *verdict.program;
  const bool kernels = verdict.kernels.duration_worst > kMostDuration;
  if (kernels && check_of(program, "size of a share"))
    return "its kernels ran on a part of the GPU whose size the capture does not give; set it by --sms";
  if (kernels && check_of(program, "short kernels") && verdict.kernels.duration_median <= kMostDuration)
    return "some kernels are shorter than the time in which the model sends their blocks, like " +
           verdict.kernels.worst;
  if (kernels)
    return verdict.kernels.worst +
           " shared the GPU with other kernels when it was measured, or its blocks are not alike; the model assumes "
           "that it ran alone, with equal blocks";
  if (verdict.copies.count > 0 && verdict.copies.duration_median > kMostDuration)
    return fmt::format(
        "copies take {:.0f} % more or less than measured in the median: the link of the machine, its host's memory or "
        "the "
        "driver's copies into a pinned buffer are not those of the GPU's file (host_link.lane_gbits, "
        "copy_engine.pageable_bytes_per_cycle)",
        100 * verdict.copies.duration_median);
  if (const ProgramCheck* check = check_of(program, "shorter than the model's latencies"))
    return fmt::format(
        "{} commands follow the commands that they waited for sooner than the model's latencies between host and GPU "
        "allow (work_distributor.host_latency, host_ns)",
        check->count);
  if (const ProgramCheck* check = check_of(program, "waited for room"))
    return fmt::format(
        "{} commands waited for room when they were measured; the model assumes equally long blocks, so room appears "
        "at other times",
        check->count);
  if (check_of(program, "capture") || check_of(program, "waits refuted"))
    return "the capture does not say what some commands waited for; see the warnings, or take --release start";
  if (program.release != Release::kStart)
    return "the host's threads wait for each other, which a capture does not record; --release start uses the measured "
           "starts";
  return "commands wait for others longer than they did; see the warnings";
}

std::string time_text(double ns) {
  return ns < 1e6 ? fmt::format("{:.2f} us", ns / 1e3) : fmt::format("{:.2f} ms", ns / 1e6);
}

std::string errors_text(const char* what, const ReplayErrors& e) {
  if (e.count == 0) return "";
  return fmt::format("; {} {}: durations off by {:.2f} % (median), {:.2f} % (worst{}), starts by {}, {}", e.count, what,
                     100 * e.duration_median, 100 * e.duration_worst, e.worst.empty() ? "" : ", " + e.worst,
                     time_text(e.start_median_ns), time_text(e.start_worst_ns));
}

std::string text(const ReplayVerdict& verdict) {
  const ReplayedProgram& program = *verdict.program;
  std::string line = fmt::format("replay of {}, release {}: {} for the measured {}", program.path,
                                 release_names()[static_cast<std::size_t>(program.release)],
                                 time_text(verdict.model_length_ns), time_text(verdict.length_ns));
  line += errors_text("kernels", verdict.kernels) + errors_text("copies", verdict.copies);
  if (program.with_demand) line += fmt::format("; {} of its kernels have a demand", *program.with_demand);
  if (verdict.not_ended > 0) line += fmt::format("; {} commands have not ended", verdict.not_ended);
  if (!verdict.alone) {
    line += "; it ran beside others";
  } else if (!verdict.same_gpu) {
    line += "; it was measured on another GPU";
  } else {
    line += verdict.broken.empty() ? "; as measured" : "; off: " + verdict.broken;
  }
  return line;
}

/// An entry of `checks` in a verdict.
struct CheckRow {
  const ProgramCheck& check;

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = CheckRow;
    v.field([](const R& r) -> const std::string& { return r.check.name; }, "name", Value{}, "Name of the assumption");
    v.field([](const R& r) { return r.check.count; }, "count", Value{}, "Number of violations");
    v.field([](const R& r) -> const std::string& { return r.check.meaning; }, "meaning", Value{}, "Explanation");
    v.field([](const R& r) -> const std::string& { return r.check.first; }, "first", Value{},
            "Place of the first violation");
  }
};

/// One verdict for each program of the workload, in order.
std::vector<ReplayVerdict> replay_verdicts(const RunResult& result, const GpuConfig& config, const Workload& workload) {
  std::vector<ReplayVerdict> verdicts;
  const auto* const origin = dynamic_cast<const ReplayOrigin*>(workload.origin.get());
  if (!origin) return verdicts;
  const auto times = times_of(result, config, workload);
  std::size_t commands = 0;
  for (const ReplayedProgram& program : origin->programs) {
    ReplayVerdict& verdict = verdicts.emplace_back();
    verdict.program = &program;
    verdict.same_gpu = program.gpu.sms && *program.gpu.sms == config.sms;
    std::vector<Compared> all;
    double model_zero = std::numeric_limits<double>::infinity(), measured_zero = model_zero;
    double model_end = 0, measured_end = 0;
    for (const ReplayedCommand& command : program.commands) {
      const auto found = times.find(command.label);
      if (found == times.end()) {
        ++verdict.not_ended;
        continue;
      }
      all.push_back({&command, found->second.first, found->second.second});
      model_zero = std::min(model_zero, found->second.first);
      model_end = std::max(model_end, found->second.second);
      measured_zero = std::min(measured_zero, static_cast<double>(command.start));
      measured_end = std::max(measured_end, static_cast<double>(command.end));
    }
    if (all.empty()) continue;
    verdict.length_ns = measured_end - measured_zero;
    verdict.model_length_ns = model_end - model_zero;
    verdict.kernels = errors_of(all, false, model_zero, measured_zero);
    verdict.copies = errors_of(all, true, model_zero, measured_zero);
    commands += program.commands.size();
  }
  for (ReplayVerdict& verdict : verdicts) {
    verdict.alone = verdicts.size() == 1 && commands == workload.launches.size() + workload.copies.size();
    const bool judged = verdict.alone && verdict.same_gpu && verdict.not_ended == 0 &&
                        (verdict.program->release == Release::kProgram || verdict.program->release == Release::kStart);
    const double most = kMostStart * verdict.length_ns;
    if (judged && (verdict.kernels.start_median_ns > most || verdict.copies.start_median_ns > most ||
                   verdict.kernels.duration_worst > kMostDuration))
      verdict.broken = reason(verdict);
  }
  return verdicts;
}

GPUTLM_REGISTER {
  add_row_table<ReplayVerdict>("result.json: replay",
                               "A replayed capture compared with the measurement; only if there is one");
  add_row_table<CheckRow>("result.json: replay, checks", "Assumptions that the capture violates");
  ResultSection section;
  section.name = "replay";
  section.json = [](const RunResult& result, const GpuConfig& config, const Workload& workload) {
    nlohmann::ordered_json list;
    for (const ReplayVerdict& verdict : replay_verdicts(result, config, workload)) {
      nlohmann::ordered_json& entry = list.emplace_back(row_json(verdict));
      entry["checks"] = nlohmann::ordered_json::array();
      for (const ProgramCheck& check : verdict.program->checks) entry["checks"].push_back(row_json(CheckRow{check}));
    }
    return list;
  };
  section.lines = [](const RunResult& result, const GpuConfig& config, const Workload& workload) {
    std::vector<std::string> lines;
    for (const ReplayVerdict& verdict : replay_verdicts(result, config, workload)) lines.push_back(text(verdict));
    return lines;
  };
  result_sections().add(std::move(section));
}

}  // namespace
}  // namespace gputlm
