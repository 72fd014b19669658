/// Packets between the SMs of a GPC over the cluster network: accesses to shared memory, arrivals at barriers, and bytes
/// delivered by a multicast. Each is a transaction from the requesting SM through the network to the SM that holds the
/// block; the response is the answer, with the data of a load. The network itself implements the barrier of a cluster: it
/// answers at the end of the phase.
#pragma once

#include <cstdint>

#include "tlm/base/time.h"
#include "tlm/identity.h"

namespace tlm {
class tlm_generic_payload;
}

namespace gputlm {

struct ClusterPacket {
  enum class Kind : std::uint8_t {
    kLoad,
    kStore,
    kAtomic,
    kArrive,   ///< arrival at an mbarrier of the block
    kBytes,    ///< bytes delivered by a multicast, which count at an mbarrier of the block
    kBarrier,  ///< all warps of the sender's block have arrived at the barrier of its cluster
    kLeave,    ///< the sender's block has ended
  };
  std::uint16_t flits = 1;
  std::uint16_t answer_flits = 1;
  Kind kind = Kind::kLoad;
  std::uint8_t blocks = 0;    ///< kBarrier, kLeave: blocks of the cluster
  SmId to = 0;                ///< SM of the destination block, or of the sender
  SmId from = 0;              ///< the SM that sent it; set by the network
  std::uint32_t cluster = 0;  ///< first block of the cluster
  std::uint32_t block = 0;    ///< the destination block
  Identity identity;          ///< identity of the sender's block
  std::uint32_t barrier = 0;  ///< the mbarrier, as in MbarrierUse
  std::uint32_t arrivals = 0;
  Bytes bytes = 0;         ///< bytes of an access or multicast; for an arrival: those that the mbarrier also waits for
  Bytes counts = 0;        ///< bytes counted at the mbarrier; kBytes: including those of earlier packets
  std::uint32_t slot = 0;  ///< the warp's slot at the sender
  std::uint32_t tag = 0;   ///< the load's tag at the sender
  tlm::tlm_generic_payload* transaction = nullptr;
};

}  // namespace gputlm
