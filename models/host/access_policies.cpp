#include "models/host/access_policies.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "tlm/base/error.h"

namespace gputlm {

AccessPolicies::AccessPolicies(const std::vector<StreamSpec>& streams, const std::vector<LaunchCommand>& launches) {
  const auto has_one = [](const auto& of) { return of.access_policy_window.has_value(); };
  if (std::any_of(streams.begin(), streams.end(), has_one)) {
    for (const StreamSpec& stream : streams)
      of_stream_.push_back(has_one(stream) ? number(*stream.access_policy_window, stream.file, stream.line) : 0);
  }
  if (of_stream_.empty() && std::none_of(launches.begin(), launches.end(), has_one)) return;
  for (const LaunchCommand& launch : launches) {
    of_launch_.push_back(has_one(launch) ? number(*launch.access_policy_window, launch.file, launch.line)
                                         : of_stream(launch.stream));
  }
}

std::uint16_t AccessPolicies::number(const AccessPolicyWindow& window, const std::string& file, std::size_t line) {
  const auto key = [](const AccessPolicyWindow& w) {
    return std::make_tuple(w.base, w.bytes, w.hit_ratio, w.hit_prop, w.miss_prop);
  };
  // Searches from the last one: a repeated launch has the same window.
  const auto same = std::find_if(windows_.rbegin(), windows_.rend(),
                                 [&](const AccessPolicyWindow& other) { return key(other) == key(window); });
  if (same != windows_.rend()) return static_cast<std::uint16_t>(windows_.rend() - same);
  if (windows_.size() == std::numeric_limits<std::uint16_t>::max())
    throw InputError(file, line, "found another access_policy_window, allowed: 65535 different ones");
  windows_.push_back(window);
  return static_cast<std::uint16_t>(windows_.size());
}

}  // namespace gputlm
