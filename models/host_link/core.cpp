#include "models/host_link/core.h"

#include <algorithm>
#include <optional>

#include "tlm/counter_table.h"

namespace gputlm {

HostLinkCore::HostLinkCore(const HostLinkConfig& config, const Clock& clock, unsigned devices)
    : config_(config), clock_(clock), byte_time_(config.byte_time()) {
  for (unsigned i = 0; i < devices; ++i) {
    to_host_.in.emplace_back(config.queue);
    to_device_.out.emplace_back(1, config.queue);
  }
  to_host_.out.emplace_back(1, config.queue);
  to_device_.in.emplace_back(config.queue);
}

Cycle HostLinkCore::advance(Cycle until) {
  while (true) {
    const Cycle now = std::min(next(to_host_), next(to_device_));
    if (now >= until) return now;
    step(
        to_host_, now, [](const Access& a) { return std::optional<Bytes>(a.write ? a.bytes : 0); }, statistics_.to_host,
        statistics_.to_host_with_headers);
    step(
        to_device_, now, [](const Access& a) { return a.write ? std::nullopt : std::optional<Bytes>(a.bytes); },
        statistics_.to_device, statistics_.to_device_with_headers);
  }
}

Cycle HostLinkCore::next(const Direction& direction) const {
  return direction.moving ? std::max(direction.arrives, direction.way_out(*direction.moving).ready_at())
                          : std::max(direction.passed_on, direction.in[direction.first()].next());
}

template <class Data>
void HostLinkCore::step(Direction& direction, Cycle now, const Data& data, Bytes& total, Bytes& total_with_headers) {
  if (next(direction) > now) return;
  if (direction.moving) {
    direction.way_out(*direction.moving).send(now, *direction.moving);
    direction.moving = nullptr;
    direction.passed_on = now;
    // A packet that had to wait for room at the other end has held the link.
    if (now > direction.arrives) direction.free_at = clock_.edge(now);
    return;
  }
  const std::size_t from = direction.first();
  const Femtoseconds came = clock_.edge(direction.in[from].next());
  Access& access = direction.in[from].pop(now);
  if (&direction == &to_host_) access.source = static_cast<std::uint16_t>(from);
  const std::optional<Bytes> bytes = data(access);
  if (bytes) {
    const Bytes all = config_.bytes_with_headers(*bytes);
    direction.free_at = std::max(direction.free_at, came) + all * byte_time_;
    total += *bytes;
    total_with_headers += all;
  }
  access.flits = 1;
  direction.moving = &access;
  direction.arrives = bytes ? std::max(now, clock_.at_or_after(direction.free_at)) : now;
}

GPUTLM_REGISTER { add_counter_table<HostLinkStatistics>("host link", {"copying.link"}); }

}  // namespace gputlm
