/// A design that is built for the bench, as it runs.
#pragma once

#include "platform/rtl/build.h"
#include "platform/rtl/kind.h"

namespace gputlm {

/// With waveforms, assertions and random first contents of registers; its gputlm_make() is BuiltDesign::make (testbench/lockstep/kind.h).
/// `with_coverage`: of lines, branches and toggles, too.
RtlLibrary bench_library(const RtlKind& kind, bool with_coverage);

}  // namespace gputlm
