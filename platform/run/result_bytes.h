/// Results as bytes and back, all of them: what a run in a process of its own hands to the one that wanted it, and what
/// is kept of finished runs. The same result gives the same bytes. See tlm/bytes.h for what they are not.
#pragma once

#include <string>
#include <string_view>

#include "platform/run/memory_run.h"
#include "platform/run/result.h"

namespace gputlm {

std::string to_bytes(const RunResult& result);
std::string to_bytes(const MemoryResult& result);

/// Throw std::runtime_error if the bytes are not those of such a result.
RunResult result_from_bytes(std::string_view bytes);
MemoryResult memory_result_from_bytes(std::string_view bytes);

}  // namespace gputlm
