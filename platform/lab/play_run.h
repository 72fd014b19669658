/// An address trace on DRAM controllers alone, as a run of a sweep.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "platform/lab/jobs.h"
#include "platform/run/memory_run.h"

namespace gputlm {

struct PlayRun {
  MemorySystem system;
  std::string trace;  ///< a file, or what is generated (platform/input/address_trace.h)
  std::uint64_t seed = 1;

  using Result = MemoryResult;
  Job job() const;
  static MemoryResult result(std::string_view bytes);
};

}  // namespace gputlm
