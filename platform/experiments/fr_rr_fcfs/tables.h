/// What came out of the 14 workloads of fr-rr-fcfs, as tables, as CSV and as the stacked bars of figures 4 and 8.
#pragma once

#include <string>

#include "platform/experiments/fr_rr_fcfs/pairs.h"
#include "platform/lab/chart.h"

namespace gputlm {

/// Figures 2, 3, 6, 7, 9 and 10.
std::string metrics_table(const WorkloadOutcomes& workloads);
/// Figures 4 and 8, with alone-60 and alone-30.
std::string bandwidth_table(const AloneOutcomes& alone, const WorkloadOutcomes& workloads);
/// One line a run: all that the tables show.
std::string csv(const AloneOutcomes& alone, const WorkloadOutcomes& workloads);
/// Figures 4 and 8 in one: for each workload the bars of both applications alone on 60 and on 30 SMs, and of the two
/// together under both schedulers; from below: first application, second, wasted, idle.
Chart bandwidth_chart(const AloneOutcomes& alone, const WorkloadOutcomes& workloads);

}  // namespace gputlm
