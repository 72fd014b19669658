/// The link between GPU and host: two directions, each of which carries one packet at a time. A write carries its data and
/// needs no answer on the link (PCI Express: posted); a read carries no data, and its answer does. Plain C++; the module
/// around it is host_link.h.
#pragma once

#include <cstddef>
#include <vector>

#include "models/host_link/config.h"
#include "tlm/access.h"
#include "tlm/base/counters.h"
#include "tlm/link.h"

namespace gputlm {

struct HostLinkStatistics {
  Bytes to_host = 0, to_device = 0, to_host_with_headers = 0, to_device_with_headers = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = HostLinkStatistics;
    v.counter(&S::to_host, "to_host_bytes", "bytes", "Bytes of data from the GPU to the host");
    v.counter(&S::to_device, "to_device_bytes", "bytes", "Bytes of data from the host to the GPU");
    v.counter(&S::to_host_with_headers, "to_host_bytes_with_headers", "bytes",
              "Bytes on the link to the host, packet headers included");
    v.counter(&S::to_device_with_headers, "to_device_bytes_with_headers", "bytes",
              "Bytes on the link to the GPU, packet headers included");
  }
};

class HostLinkCore {
 public:
  /// `clock`: at both ends. `devices`: number of devices that share the link; their packets take it in order of arrival, at
  /// equal times in order of device.
  HostLinkCore(const HostLinkConfig& config, const Clock& clock, unsigned devices = 1);

  Inbox<Access>& requests_in(unsigned device = 0) { return to_host_.in[device]; }
  Outbox<Access>& requests_out() { return to_host_.out.front(); }
  Inbox<Access>& responses_in() { return to_device_.in.front(); }
  Outbox<Access>& responses_out(unsigned device = 0) { return to_device_.out[device]; }

  /// Computes everything strictly before `until`; returns the next cycle with work, kNever if only an arrival makes
  /// some.
  Cycle advance(Cycle until);
  const HostLinkStatistics& statistics() const { return statistics_; }

 private:
  /// One direction. A packet is passed on when its last byte has arrived.
  struct Direction {
    std::vector<Inbox<Access>> in;
    std::vector<Outbox<Access>> out;
    Femtoseconds free_at = 0;
    Access* moving = nullptr;
    Cycle arrives = 0;    ///< cycle in which its last byte arrives
    Cycle passed_on = 0;  ///< cycle in which the packet before it left: the next one is taken no earlier

    /// Index of the input whose packet comes first.
    std::size_t first() const {
      std::size_t first = 0;
      for (std::size_t i = 1; i < in.size(); ++i) {
        if (in[i].next() < in[first].next()) first = i;
      }
      return first;
    }
    /// A request carries the number of its device, and so does its response.
    Outbox<Access>& way_out(const Access& access) { return out.size() == 1 ? out.front() : out[access.source]; }
    const Outbox<Access>& way_out(const Access& access) const {
      return out.size() == 1 ? out.front() : out[access.source];
    }
  };

  Cycle next(const Direction& direction) const;
  /// Does the work of cycle `now`. `data(access)`: data bytes of its packet; none: an answer to a write, which takes no time.
  template <class Data>
  void step(Direction& direction, Cycle now, const Data& data, Bytes& total, Bytes& total_with_headers);

  HostLinkConfig config_;
  Clock clock_;
  Femtoseconds byte_time_;
  Direction to_host_;
  Direction to_device_;
  HostLinkStatistics statistics_;
};

}  // namespace gputlm
