/// What came of sharing: for each way and program its latency and throughput, absolute and over alone.
///
/// A program is judged by its jobs: those of its tasks, or else each time that it runs through. Throughput is the length of
/// the program alone over its mean length together. Together, programs are launched again until each has run through once
/// (fr-rr-fcfs, section 2.2), so each has company all the time; a time that was cut by the end of the run does not count.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/share/study.h"

namespace gputlm {

/// Response times of jobs, in core cycles.
struct JobTimes {
  std::uint64_t jobs = 0, deadlines = 0, missed = 0;
  Cycle p50 = 0, p99 = 0, most = 0;  ///< by nearest rank
  double mean = 0;
};

struct ProgramOutcome {
  std::string program;
  bool has_tasks = false;  ///< else a job is a time that it ran through
  JobTimes times;
  std::uint64_t through = 0;  ///< how often it ran through
  double length = 0;          ///< mean of these, core cycles
  /// Over alone; none of a program that has not run through, or whose alone is 0.
  std::optional<double> p50_over, p99_over, most_over, throughput;
};

struct WayOutcome {
  std::string way;  ///< "alone" of a program by itself
  double core_mhz = 0;
  Cycle cycles = 0;
  double sms = 0;  ///< share of the SMs' cycles with a block
  /// Share of the DRAM's cycles in which data moves; none where SMs run blocks, which send it nothing.
  std::optional<double> dram;
  std::vector<ProgramOutcome> programs;
};

/// Each program alone, then the ways in their order. To be called after ShareStudy::run().
std::vector<WayOutcome> share_outcomes(const ShareStudy& study);
/// Of a way.
WayOutcome share_outcome(const ShareStudy& study, const std::string& way);

/// A time that an application ran through: from when it was launched until the host knew of the end of its last command.
struct TimeThrough {
  Cycle start = 0, end = 0;
};
/// In their order, which is that of iterations.
std::vector<TimeThrough> times_through(const RunResult& result, const Run& run, ApplicationId application);

}  // namespace gputlm
