/// The network between the SMs of a GPC: a crossbar that forwards a packet as soon as its output is free, and the barriers
/// of clusters. Plain C++; the module around it is models/cluster_network/cluster_network.h.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "tlm/base/counters.h"
#include "tlm/base/ring.h"
#include "tlm/cluster_packet.h"
#include "tlm/link.h"

namespace gputlm {

struct ClusterNetworkStatistics {
  std::uint64_t loads = 0, stores = 0, atomics = 0, arrivals = 0, multicasts = 0;
  std::uint64_t bytes = 0, multicast_bytes = 0;
  std::uint64_t barriers = 0, barrier_wait = 0;
  std::uint64_t wait = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = ClusterNetworkStatistics;
    v.counter(&S::loads, "loads", "requests", "Loads of another block's shared memory, up to 128 bytes each");
    v.counter(&S::stores, "stores", "requests", "Stores to another block's shared memory, up to 128 bytes each");
    v.counter(&S::atomics, "atomics", "requests", "Atomics on another block's shared memory, up to 128 bytes each");
    v.counter(&S::bytes, "bytes", "bytes", "Bytes that loads, stores and atomics move, in sectors of 32");
    v.counter(&S::arrivals, "mbarrier_arrivals", "requests", "Arrivals at an mbarrier of another block");
    v.counter(&S::multicasts, "multicasts", "requests", "Requests with the data of a multicast for another block");
    v.counter(&S::multicast_bytes, "multicast_bytes", "bytes", "Bytes of these requests");
    v.counter(&S::barriers, "barriers", "phases", "Phases of cluster barriers that have ended");
    v.counter(&S::barrier_wait, "barrier_wait_cycles", "core cycles",
              "Time from a block's arrival at a cluster barrier to the last arrival, summed over blocks");
    v.counter(&S::wait, "wait_cycles", "core cycles",
              "Time that packets waited for their way out, summed over both directions");
  }
};

class ClusterNetworkCore {
 public:
  /// For `sms` SMs from `first_sm` on, each with one such link for its own requests and one for requests to it.
  ClusterNetworkCore(const Link& link, SmId first_sm, unsigned sms);

  // The ends of SM i: its requests and their answers, and requests to it and its answers.
  Inbox<ClusterPacket>& requests(unsigned i) { return ports_[i].requests; }
  Outbox<ClusterPacket>& answers(unsigned i) { return ports_[i].answers; }
  Outbox<ClusterPacket>& forwarded(unsigned i) { return ports_[i].forwarded; }
  Inbox<ClusterPacket>& replies(unsigned i) { return ports_[i].replies; }

  /// Computes everything strictly before `until`; returns the next cycle with work.
  Cycle advance(Cycle until);
  const ClusterNetworkStatistics& statistics() const { return statistics_; }
  /// What waits in the network, one line each.
  std::vector<std::string> waiting() const;

 private:
  static constexpr std::size_t kMaxOwn = 4096;  ///< capacity of Port::own: more than the unanswered requests of an SM
  struct Held {
    Cycle at;
    ClusterPacket* packet;
  };
  struct Port {
    explicit Port(const Link& link)
        : requests(link.request.queue), answers(link.response.width, link.response.queue),
          forwarded(link.request.width, link.request.queue), replies(link.response.queue), own(kMaxOwn) {}
    Inbox<ClusterPacket> requests;
    Outbox<ClusterPacket> answers;
    Outbox<ClusterPacket> forwarded;
    Inbox<ClusterPacket> replies;
    Ring<Held> own;  ///< answers of the network itself
    // When the next packet may pass: one per cycle.
    Cycle next_request = 0, next_reply = 0, next_own = 0;
  };
  /// A cluster with an open phase of its barrier, or with ended blocks.
  struct Cluster {
    KernelId kernel;
    std::uint32_t first;
    unsigned blocks;  ///< blocks that have not ended
    std::vector<Held> arrived;
  };

  Cycle next();
  Cycle next_of(Port& port);
  void step(Cycle now);
  void pass_request(Port& port, unsigned number, Cycle now);
  void pass_answer(Port& port, Cycle now);
  void take_own(ClusterPacket& packet, Cycle now);
  void count(const ClusterPacket& packet);
  Port& port_of(SmId sm) { return ports_[sm - first_sm_]; }

  SmId first_sm_;
  std::deque<Port> ports_;
  unsigned turn_ = 0;  ///< port that comes first in the next cycle with work
  std::vector<Cluster> clusters_;
  ClusterNetworkStatistics statistics_;
};

}  // namespace gputlm
