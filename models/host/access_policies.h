/// The access policy windows of a workload's kernels, numbered for Identity::access_policy. Streams' windows come first,
/// then those of launches that differ from their stream's; equal windows share a number.
#pragma once

#include <cstdint>
#include <vector>

#include "models/host/workload.h"

namespace gputlm {

class AccessPolicies {
 public:
  /// Throws InputError for more windows than numbers.
  explicit AccessPolicies(const std::vector<StreamSpec>& streams, const std::vector<LaunchCommand>& launches = {});

  /// The windows, by number from 1.
  const std::vector<AccessPolicyWindow>& windows() const { return windows_; }
  std::uint16_t of_stream(StreamId stream) const { return of_stream_.empty() ? 0 : of_stream_[stream]; }
  /// Number for a launch, by its index in Workload::launches; 0: none.
  std::uint16_t of_launch(std::size_t launch) const { return of_launch_.empty() ? 0 : of_launch_[launch]; }

 private:
  std::uint16_t number(const AccessPolicyWindow& window, const std::string& file, std::size_t line);

  std::vector<AccessPolicyWindow> windows_;
  std::vector<std::uint16_t> of_stream_, of_launch_;  ///< numbers of windows; empty: none has one
};

}  // namespace gputlm
