/// The connection of the two halves of a GPU whose L2 has two partitions: reads and writes of one half in the other's
/// partition cross here. NVIDIA's A100 and H100 have one ("each L2 partition ... caches data for memory accesses from SMs
/// in the GPCs directly connected to the partition", whitepapers).
///
/// It is attached to the reply network of the crossbar, with an output and an input for each direction. A reply crosses in
/// the direction of its data: for a read or an atomic towards the requester; for a write, whose reply is an
/// acknowledgement, away from it. The latency of both ways is applied here.
#pragma once

#include "models/noc/switch_core.h"
#include "tlm/access.h"
#include "tlm/flit_format.h"

namespace gputlm {

struct PartitionConnectionStatistics {
  std::uint64_t packets = 0, flits = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = PartitionConnectionStatistics;
    v.counter(&S::packets, "packets", "packets", "Packets that crossed from one half of the GPU to the other");
    v.counter(&S::flits, "flits", "flits", "Flits of these packets");
  }
};

class PartitionConnection {
 public:
  static constexpr unsigned kDirections = 2;

  struct Setup {
    Cycle latency = 1;  ///< latency of both ways together
    unsigned width = 1;
    FlitFormat flits;
  };

  /// Uses the last kDirections outputs and inputs of `replies`, which must outlive it.
  PartitionConnection(const Setup& setup, SwitchCore& replies);

  /// The output by which a crossing reply leaves. Sets the packet's flits to those that cross.
  static unsigned direction_of(Access& reply, const FlitFormat& flits) {
    const bool writes = reply.write && !reply.atomic;
    if (writes) reply.flits = flits.request_flits(reply);
    return (reply.partition & 1u) ^ unsigned { writes };
  }

  /// Computes the network and the crossing packets, like SwitchCore::advance().
  Cycle advance(Cycle until);

  const PartitionConnectionStatistics& statistics() const { return statistics_; }

 private:
  bool cross();

  Setup setup_;
  SwitchCore& replies_;
  Cycle computed_ = 0;  ///< everything before this cycle has been computed
  PartitionConnectionStatistics statistics_;
};

}  // namespace gputlm
