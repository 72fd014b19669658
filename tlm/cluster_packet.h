/// What travels between the SMs of a GPC over the network that their blocks' clusters have: accesses to shared memory,
/// arrivals at barriers, and bytes that a multicast has brought. A transaction from the SM that asks, through the network, to
/// the one that has the block; the response is the answer, with data of a load. A barrier of a cluster is the network's own:
/// its answer is the end of the phase.
#pragma once

#include <cstdint>

#include "tlm/identity.h"
#include "tlm/time.h"

namespace tlm {
class tlm_generic_payload;
}

namespace gputlm {

struct ClusterPacket {
  enum class Kind : std::uint8_t {
    kLoad,
    kStore,
    kAtomic,
    kArrive,   ///< at an mbarrier of the block
    kBytes,    ///< a multicast has brought them; they count at an mbarrier of the block
    kBarrier,  ///< all warps of the sender's block have arrived at the barrier of its cluster
    kLeave,    ///< the sender's block has ended
  };
  std::uint16_t flits = 1;
  std::uint16_t answer_flits = 1;
  Kind kind = Kind::kLoad;
  std::uint8_t blocks = 0;    ///< kBarrier, kLeave: of the cluster
  SmId to = 0;                ///< SM of the block that it is for, or of the sender
  SmId from = 0;              ///< the network's: where it came from
  std::uint32_t cluster = 0;  ///< its first block
  std::uint32_t block = 0;    ///< that it is for
  Identity identity;          ///< of the sender's block
  std::uint32_t barrier = 0;  ///< the mbarrier
  std::uint32_t arrivals = 0;
  Bytes bytes = 0;         ///< of an access or a multicast; of an arrival, that the mbarrier waits for besides
  Bytes counts = 0;        ///< so many at the mbarrier; kBytes: those of packets before included
  std::uint32_t slot = 0;  ///< the sender's: of the warp
  std::uint32_t tag = 0;   ///< likewise: of a load
  tlm::tlm_generic_payload* transaction = nullptr;
};

}  // namespace gputlm
