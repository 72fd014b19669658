/// `gputlm run --fast`: SMs that run blocks (docs/blocks.md), without a file of durations.
#pragma once

#include <memory>
#include <string>

#include "models/sm/blocks/table.h"
#include "platform/cli/input_arguments.h"

namespace gputlm {

/// Key and value, before those of --set.
inline constexpr const char* kFastModel = "sm.model=blocks";

/// What a run on SMs that run blocks needs beside its configuration, and how good it is.
struct FastRun {
  std::shared_ptr<const DurationTable> durations;  ///< null: none are needed, or sm.durations has them
  std::string how;                                 ///< in words: what has been measured, or why nothing
  std::string expect = {};                         ///< how far results are off; empty: they are exact
};

/// Measures the durations of blocks, or takes those that were kept. Where addresses are translated the configuration goes
/// back to SMs that run warps. Throws InputError if the user has chosen these, Interrupted if the user stops it.
FastRun prepare_fast_run(LoadedInput& loaded, std::uint64_t seed);

}  // namespace gputlm
