/// What travels between an SM that runs blocks and the unit that knows how they share the GPU (models/contention): how many
/// blocks of a kernel that has a demand are on the SM, and from there how fast they get on. Transactions whose responses
/// give them back.
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

/// What a block shares with others, and loses time to.
enum class Shared : std::uint8_t {
  kIssue,       ///< issue slots of the SM
  kPipe,        ///< an execution pipeline of the SM
  kL1,          ///< the data array that L1 and shared memory have together, or each has
  kSmPort,      ///< the SM's port to the network
  kL2Capacity,  ///< lines of the L2 that others have replaced
  kL2,          ///< the network and the L2's slices
  kDram,
};
inline constexpr std::size_t kSharedResources = 7;
struct BlockCount {
  std::uint16_t flits = 1;
  Identity of;  ///< application and kernel of the launch
  const Kernel* kernel = nullptr;
  unsigned blocks = 0;  ///< of it that get on
  tlm::tlm_generic_payload* transaction = nullptr;
};

/// Cycles of a block alone that it does in a cycle, in units of 2^-20.
using BlockPace = std::uint32_t;
inline constexpr unsigned kPaceFraction = 20;

struct BlockRate {
  std::uint16_t flits = 1;
  KernelId kernel = 0;
  BlockPace pace = 0;
  /// What takes the rest, as far as it is below 1: parts of 2^-20 that add up to it. Negative parts are gains: less is
  /// there than while the kernel was measured.
  std::array<std::int32_t, kSharedResources> lost{};
  tlm::tlm_generic_payload* transaction = nullptr;
};

}  // namespace gputlm
