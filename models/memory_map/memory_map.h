/// The memory map of the GPU: the L2 slice of an address, its address within the slice (consecutive over the slice's
/// memory, so that the tags' sets are used evenly), and its address in the DRAM channel that the slice shares with others.
/// Both mappings are bijections that keep the offset within a 128-byte line. The channel itself maps its addresses to DRAM
/// (models/dram/address_map.h).
///
/// Memory is distributed in chunks of MemoryMapConfig::interleave bytes. Each round of chunks gives every slice one (for
/// any number of slices, not only powers of two). With channel_hash, a hash of the round's number chooses the slice at
/// which the round begins; without it, a stride that is a multiple of a round always meets the same slice: partition
/// camping (Liu et al., "Get out of the valley: power-efficient address mapping for GPUs", ISCA 2018, show the effect and
/// that hashing the upper bits into the channel cures it).
///
/// Applications may have colours: the slices in which their pages lie. A driver gives a process pages that the GPU's map
/// puts there (page colouring; on a GPU: Jain et al., "Fractional GPUs: software-based compute and memory bandwidth
/// reservation for GPUs", RTAS 2019). Here the memory of such an application is distributed over its slices as on a GPU
/// with only these, at any interleave, and does not overlap other memory. Applications with the same slices share one
/// memory, as all do without colours. A range of an application's addresses may have different colours.
#pragma once

#include <cstdint>
#include <vector>

#include "models/memory_map/config.h"
#include "tlm/base/divisor.h"
#include "tlm/base/time.h"
#include "tlm/identity.h"

namespace gputlm {

/// A range of an application's addresses in different slices from the rest of its memory.
struct ColouredRange {
  ApplicationId application = 0;
  Address first = 0;
  Bytes bytes = 0;
  std::vector<unsigned> slices;  ///< slices of the range, at least one, in ascending order
};

class MemoryMap {
 public:
  /// Throws InputError unless interleave is a power of two of at least a line, slices at least 1 and a multiple of
  /// slices_per_channel.
  MemoryMap(const MemoryMapConfig& config, unsigned slices, unsigned slices_per_channel = 1);
  /// `colours`: slices of each application, in ascending order; all if it is not listed or has none. `ranges`: of whole
  /// lines; those of an application do not overlap. Throws InputError for more than kMaxColourings sets of slices.
  MemoryMap(const MemoryMapConfig& config, unsigned slices, unsigned slices_per_channel,
            const std::vector<std::vector<unsigned>>& colours, const std::vector<ColouredRange>& ranges = {});
  static constexpr std::size_t kMaxColourings = 4094;

  /// L2 slice of a GPU address, the same for all of a line; its DRAM channel is slice / slices_per_channel.
  unsigned slice(Address address) const {
    const std::uint64_t chunk = address >> shift_;
    const std::uint64_t round = chunk / by_slices_;
    const auto place = static_cast<unsigned>(chunk - round * slices_) + rotation(round);
    return place >= slices_ ? place - slices_ : place;
  }
  /// L2 slice of an application's address.
  unsigned slice(Address address, ApplicationId application) const;
  Address local(Address address, ApplicationId application) const;
  /// Address within its slice of a GPU address.
  Address local(Address address) const {
    return ((address >> shift_) / by_slices_) << shift_ | (address & offset_mask_);
  }
  /// GPU address, the inverse of slice() and local().
  Address global(unsigned slice, Address local) const;
  /// Address within the channel's DRAM: the chunks of the channel's slices take turns.
  Address channel_address(unsigned slice, Address local) const {
    const std::uint64_t chunk = (local >> shift_) * slices_per_channel_.value() + slices_per_channel_.remainder(slice);
    return chunk << shift_ | (local & offset_mask_);
  }
  unsigned slices() const { return slices_; }

 private:
  /// Divides by multiplying: this is on the path of every access.
  struct Reciprocal {
    std::uint64_t divisor, reciprocal;
    friend std::uint64_t operator/(std::uint64_t n, const Reciprocal& by) {
      const auto q = static_cast<std::uint64_t>((static_cast<unsigned __int128>(n) * by.reciprocal) >> 64);
      return n - q * by.divisor >= by.divisor ? q + 1 : q;  // the reciprocal is rounded down: at most one short
    }
  };
  /// Slice at which a round begins: a mixing hash, scaled to the number of slices without a division.
  unsigned rotation(std::uint64_t round) const {
    if (!hash_) return 0;
    round ^= round >> 32;
    round *= 0x9e3779b97f4a7c15u;  // 2^64 / golden ratio: Fibonacci hashing (Knuth, TAOCP 3, 6.4)
    round ^= round >> 29;
    round *= 0xbf58476d1ce4e5b9u;  // second round, constant of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)
    return static_cast<unsigned>(((round >> 32) * slices_) >> 32);
  }

  /// Memory that lies in some slices.
  struct Coloured;
  struct Range {
    ApplicationId application;
    Address first, last;
    std::uint16_t colouring;
  };
  const Coloured* coloured(Address address, ApplicationId application) const;
  const Range* range_of(Address address, ApplicationId application) const;

  unsigned slices_;
  Divisor slices_per_channel_;
  unsigned shift_ = 0;
  Address offset_mask_;
  bool hash_;
  Reciprocal by_slices_;
  std::vector<std::uint16_t> colouring_of_;  ///< colouring of each application, 0: none; empty: there are no colours
  std::vector<Range> ranges_;                ///< ordered by application and address
  std::vector<Coloured> colourings_;         ///< colourings, numbered from 1 on
};

struct MemoryMap::Coloured {
  MemoryMap map;  ///< map over its slices
  std::vector<std::uint16_t> slices;
  Address first_local;  ///< first local address in each of them
};

inline const MemoryMap::Coloured* MemoryMap::coloured(Address address, ApplicationId application) const {
  if (application >= colouring_of_.size()) return nullptr;
  const Range* const range = ranges_.empty() ? nullptr : range_of(address, application);
  const std::uint16_t colouring = range ? range->colouring : colouring_of_[application];
  return colouring == 0 ? nullptr : &colourings_[colouring - 1u];
}

inline unsigned MemoryMap::slice(Address address, ApplicationId application) const {
  const Coloured* const own = coloured(address, application);
  return own ? own->slices[own->map.slice(address)] : slice(address);
}

inline Address MemoryMap::local(Address address, ApplicationId application) const {
  const Coloured* const own = coloured(address, application);
  return own ? own->first_local + own->map.local(address) : local(address);
}

}  // namespace gputlm
