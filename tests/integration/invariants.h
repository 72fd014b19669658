/// What holds in every run that came to its end, whatever was run on whatever GPU: nothing is lost, nothing happens
/// twice, and every sum is the sum of its parts. Judged from the files that the run has left, and from nothing else.
#pragma once

#include "tests/integration/program.h"

namespace gputlm {

void expect_invariants(const FinishedRun& run);

/// Two runs of the same workload and seed have done the same work, whatever their GPUs.
void expect_same_work(const FinishedRun& one, const FinishedRun& other);

}  // namespace gputlm
