/// The outcome of sharing: for each way and program its latency and throughput, absolute and relative to alone.
///
/// A program is judged by its jobs: those of its tasks, or else each pass through the program. Throughput is the program's
/// length alone over its mean length together. Programs that run together are relaunched until each has completed a pass
/// (fr-rr-fcfs, section 2.2), so that each always has company; a pass that the end of the run cuts does not count.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/share/study.h"

namespace gputlm {

/// Response times of jobs, in core cycles.
struct JobTimes {
  std::uint64_t jobs = 0, deadlines = 0, missed = 0;
  Cycle p50 = 0, p99 = 0, most = 0;  ///< percentiles by nearest rank, and the maximum
  double mean = 0;
};

struct ProgramOutcome {
  std::string program;
  bool has_tasks = false;  ///< whether the program has tasks; otherwise each pass is a job
  JobTimes times;
  std::uint64_t through = 0;  ///< number of completed passes
  double length = 0;          ///< mean length of a pass, core cycles
  /// Relative to alone; none for a program without a completed pass, or if the value alone is 0.
  std::optional<double> p50_over, p99_over, most_over, throughput;
};

struct WayOutcome {
  std::string way;  ///< name of the way; "alone" for a program by itself
  double core_mhz = 0;
  Cycle cycles = 0;
  double sms = 0;  ///< share of the SMs' cycles with a resident block
  /// Share of the DRAM's cycles that move data; none if SMs run blocks, which send it nothing.
  std::optional<double> dram;
  std::vector<ProgramOutcome> programs;
};

/// Each program alone, then the ways in order. Call it after ShareStudy::run().
std::vector<WayOutcome> share_outcomes(const ShareStudy& study);
/// The outcome of one way.
WayOutcome share_outcome(const ShareStudy& study, const std::string& way);

/// One pass of an application: from its launch until the host notices the end of its last command.
struct TimeThrough {
  Cycle start = 0, end = 0;
};
/// In the order of iterations.
std::vector<TimeThrough> times_through(const RunResult& result, const Run& run, ApplicationId application);

}  // namespace gputlm
