/// A schedule drawn block by block: SMs from top to bottom, a row for each block that is there at once, time from left to
/// right.
#pragma once

#include <string>
#include <vector>

#include "platform/lab/chart.h"
#include "platform/lab/runs.h"

namespace gputlm {

/// A block, or the part of one between two preemptions.
struct ScheduledBlock {
  SmId sm = 0;
  std::size_t series = 0;  ///< to which it belongs: of its kernel, or its application
  Cycle from = 0, until = 0;
};

/// The blocks of launches, each a series of its own.
std::vector<ScheduledBlock> schedule_of(const std::vector<LaunchOutcome>& launches);
/// The blocks of a run by application, which `applications` has by launch. Where blocks were preempted they are cut where
/// their applications' slices were.
std::vector<ScheduledBlock> schedule_of(const RunResult& result, const std::vector<ApplicationId>& applications,
                                        bool preempted);

/// Those between two cycles.
TimelineChart schedule_chart(std::vector<ScheduledBlock> blocks, std::vector<ChartSeries> series, unsigned sms,
                             Cycle from, Cycle until, double mhz);
/// The same as text, a letter (of `letters`, by series) each `step` cycles.
std::string schedule_text(std::vector<ScheduledBlock> blocks, const std::string& letters, unsigned sms, Cycle from,
                          Cycle until, Cycle step);

}  // namespace gputlm
