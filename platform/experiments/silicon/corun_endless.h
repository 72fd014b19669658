/// Rows of measured/corun.yaml that give the slowdown of a kernel while another runs without end.
#pragma once

#include <string>

#include "platform/experiments/silicon/corun_rows.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"

namespace gputlm {

/// The first kernel of the row, alone or beside the second, which goes on longer than it. Both find in the L2 what it keeps
/// from sweep to sweep. The plan's `beside_mib` says how much a kernel moves, `beside_dram_mib` how much one whose
/// sweeps are larger than the L2, `beside_iterations` how many operations a
/// chain has in a pipe that takes one a cycle, `beside_longer` how many times as much the second does. `memory`: of the
/// first; that of the second lies behind.
Run corun_endless(const Study& plan, const GpuConfig& gpu, const CorunRow& row, Address memory, bool beside);

/// Cycles of the first kernel. Throws std::runtime_error if the second ended before it.
double endless_time(const std::string& row, const Run& run, const RunResult& result);

}  // namespace gputlm
