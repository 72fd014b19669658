/// Invariants of every run that ended, for all workloads and GPUs: nothing is lost, nothing happens twice, and every sum is the
/// sum of its parts. Only the files of the run are checked.
#pragma once

#include "tests/integration/program.h"

namespace gputlm {

void expect_invariants(const FinishedRun& run);

/// Expects that two runs of the same workload and seed have done the same work, even on different GPUs.
void expect_same_work(const FinishedRun& one, const FinishedRun& other);

}  // namespace gputlm
