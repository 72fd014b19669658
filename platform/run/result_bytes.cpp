#include "platform/run/result_bytes.h"

#include "tlm/bytes.h"

namespace gputlm {
namespace {

constexpr const char* kRun = "gputlm run";
constexpr const char* kMemory = "gputlm mem";

}  // namespace

std::string to_bytes(const RunResult& result) { return bytes_of(kRun, result); }
std::string to_bytes(const MemoryResult& result) { return bytes_of(kMemory, result); }
RunResult result_from_bytes(std::string_view bytes) { return from_bytes<RunResult>(kRun, bytes); }
MemoryResult memory_result_from_bytes(std::string_view bytes) { return from_bytes<MemoryResult>(kMemory, bytes); }

}  // namespace gputlm
