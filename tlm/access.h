/// A memory access on its way from an SM to DRAM and back: the part of a transaction that the cores work on. The SystemC
/// shells carry it inside a `tlm_generic_payload` as an extension (tlm/payload.h).
#pragma once

#include <cstdint>

#include "tlm/base/time.h"
#include "tlm/identity.h"
#include "tlm/item_source.h"

namespace tlm {
class tlm_generic_payload;
}

namespace gputlm {

inline constexpr Bytes kSectorBytes = 32;
inline constexpr Bytes kLineBytes = 128;

/// How DRAM served a read or write.
enum class RowOutcome : std::uint8_t { kNone, kHit, kMiss, kConflict };

inline constexpr std::uint8_t kCrossing = 2;

/// Kept within one cache line: every hop touches it.
struct alignas(64) Access {
  // The request: `bytes` contiguous bytes from `address` on, inside one 128-byte line.
  Address address = 0;
  std::uint16_t bytes = 0;
  bool write = false;
  /// A write that does not cover every byte of its sectors (a summary of the byte enables).
  bool partial = false;
  bool atomic = false;  ///< read-modify-write at the L2; travels with its data, as a write, and returns data

  // How it was served: set on the way, read by the requesting SM. This gives per-kernel statistics without a table of
  // kernels in every unit.
  bool l2_hit = false;
  RowOutcome row = RowOutcome::kNone;
  /// L2 partition of the requester, on a GPU that has two (models/noc/crossbar.h). A reply whose line lies in the other
  /// partition also has kCrossing until it has crossed.
  std::uint8_t partition = 0;

  Identity identity;  ///< identity on whose behalf it is made

  // Where it goes.
  std::uint16_t slice = 0;   ///< L2 slice, set by the initiator from the memory map
  std::uint16_t source = 0;  ///< port of the initiator that receives the reply (models/noc/network_interface.h)
  std::uint16_t flits = 1;   ///< link occupancy of the current leg; the sender of the leg sets it

  // For the unit that issued the access, to find its bookkeeping again.
  std::uint16_t slot = 0;
  std::uint32_t tag = 0;
  Cycle issued = 0;  ///< cycle of issue, in that unit's clock

  /// The transaction this is a part of; null in tests that need no SystemC.
  tlm::tlm_generic_payload* transaction = nullptr;
};
static_assert(sizeof(Access) == 64);

using AccessSource = ItemSource<Access>;

}  // namespace gputlm
