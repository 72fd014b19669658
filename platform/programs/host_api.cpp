#include "platform/programs/host_api.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "tlm/base/text.h"

namespace gputlm {
namespace {

/// Strips `_v3020` and `_ptsz`, `_ptds` (per-thread default stream), in any order.
std::string_view without_version(std::string_view name) {
  while (true) {
    const std::size_t at = name.rfind('_');
    if (at == std::string_view::npos || at + 1 == name.size()) return name;
    const std::string_view end = name.substr(at + 1);
    const bool version = end[0] == 'v' && end.size() > 1 &&
                         std::all_of(end.begin() + 1, end.end(), [](unsigned char c) { return std::isdigit(c); });
    if (!version && end != "ptsz" && end != "ptds") return name;
    name = name.substr(0, at);
  }
}

/// Calls by their names without the interface's prefix, as in cudaFree, cuMemFree and hipFree.
constexpr std::array<std::pair<std::string_view, HostApi>, 14> kCalls{{
    {"EventRecord", HostApi::kRecordEvent},
    {"EventRecordWithFlags", HostApi::kRecordEvent},
    {"StreamWaitEvent", HostApi::kWaitEvent},
    {"StreamSynchronize", HostApi::kSynchronizeStream},
    {"DeviceSynchronize", HostApi::kSynchronizeDevice},
    {"ThreadSynchronize", HostApi::kSynchronizeDevice},  // call of the runtime before 4.0
    {"CtxSynchronize", HostApi::kSynchronizeDevice},
    {"EventSynchronize", HostApi::kSynchronizeEvent},
    {"EventQuery", HostApi::kQuery},
    {"StreamQuery", HostApi::kQuery},
    {"Free", HostApi::kFree},
    {"FreeArray", HostApi::kFree},
    {"MemFree", HostApi::kFree},
    {"ArrayDestroy", HostApi::kFree},
}};

}  // namespace

HostApi host_api(std::string_view name) {
  name = without_version(name);
  for (const std::string_view prefix : {"cuda", "hip", "cu"}) {  // "cu" is a prefix of "cuda"
    if (!starts_with(name, prefix)) continue;
    const std::string_view call = name.substr(prefix.size());
    if (starts_with(call, "Memcpy"))
      return call.find("Async") == std::string_view::npos ? HostApi::kBlockingCopy : HostApi::kOther;
    const auto found =
        std::find_if(kCalls.begin(), kCalls.end(), [&](const auto& known) { return known.first == call; });
    return found == kCalls.end() ? HostApi::kOther : found->second;
  }
  return HostApi::kOther;
}

}  // namespace gputlm
