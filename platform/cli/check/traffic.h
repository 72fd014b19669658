/// Decisions that a run has recorded, as traffic for a design: `gputlm check --traffic`, `gputlm cost --activity`.
#pragma once

#include <string>

#include "testbench/lockstep/kind.h"

namespace gputlm {

/// Of the run in `folder`. Throws InputError if it has recorded none.
RecordedDecisions decisions_of(const DesignKind& kind, const std::string& folder);
/// Those that a probe of the same name records: "arbiter, sorter, admission".
std::string recorded_kinds();

}  // namespace gputlm
