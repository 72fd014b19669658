/// Messages between an SM that runs blocks and the contention unit, which computes how they share the GPU
/// (models/contention). The SM reports how many blocks of a kernel with a demand are resident; the unit reports how fast
/// they progress. Each message is a transaction whose response returns it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tlm/identity.h"

namespace tlm {
class tlm_generic_payload;
}

namespace gputlm {

class Kernel;

/// A resource that a block shares with others and loses time to.
enum class Shared : std::uint8_t {
  kIssue,       ///< issue slots of the SM
  kPipe,        ///< an execution pipeline of the SM
  kL1,          ///< the data array of L1 and shared memory, whether unified or separate
  kSmPort,      ///< the SM's port to the network
  kL2Capacity,  ///< L2 lines that other blocks have replaced
  kL2,          ///< the network and the L2's slices
  kDram,
};
inline constexpr std::size_t kSharedResources = 7;
struct BlockCount {
  std::uint16_t flits = 1;
  Identity of;  ///< application and kernel of the launch
  const Kernel* kernel = nullptr;
  unsigned blocks = 0;  ///< blocks of it that progress
  tlm::tlm_generic_payload* transaction = nullptr;
};

/// Progress of a block in a cycle, in cycles of the block running alone, in units of 2^-20.
using BlockPace = std::uint32_t;
inline constexpr unsigned kPaceFraction = 20;

struct BlockRate {
  std::uint16_t flits = 1;
  KernelId kernel = 0;
  BlockPace pace = 0;
  /// Where the rest goes if the pace is below 1: parts in units of 2^-20 that add up to the loss. A negative part is a
  /// gain: there is less contention than when the kernel was measured.
  std::array<std::int32_t, kSharedResources> lost{};
  tlm::tlm_generic_payload* transaction = nullptr;
};

}  // namespace gputlm
