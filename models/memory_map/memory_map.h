/// The memory map of the GPU: which L2 slice an address belongs to, where in the slice it lies (what the slice's tags
/// number: consecutive over what the slice holds, so that its sets are used evenly), and where in the DRAM channel that
/// the slice shares with others. Two bijections, which keep the offset within a 128-byte line. Where in its DRAM a
/// channel keeps an address is the channel's own affair (models/dram/address_map.h).
///
/// Memory is dealt out in chunks of MemoryMapConfig::interleave bytes. Each round of chunks gives every slice one
/// (any number of slices, not only powers of two). With channel_hash each round begins at a slice of its own, chosen
/// by a hash of the round's number; without, a stride that is a multiple of a round always meets the same slice:
/// partition camping (Liu et al., "Get out of the valley: power-efficient address mapping for GPUs", ISCA 2018,
/// show the effect and that hashing the upper bits into the channel cures it).
///
/// Applications may have colours: the slices in which their pages lie. A driver gives a process pages that the GPU's map puts
/// there (page colouring; on a GPU: Jain et al., "Fractional GPUs: software-based compute and memory bandwidth reservation
/// for GPUs", RTAS 2019). Here the memory of such an application is dealt out over its slices as that of a GPU that has no
/// others, at any interleave. Where this memory is, no other is: applications with the same slices have one memory, as all
/// have without colours. A range of an application's addresses may have colours of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "models/memory_map/config.h"
#include "tlm/divisor.h"
#include "tlm/identity.h"
#include "tlm/time.h"

namespace gputlm {

/// Addresses of an application that lie in other slices than the rest of its memory.
struct ColouredRange {
  ApplicationId application = 0;
  Address first = 0;
  Bytes bytes = 0;
  std::vector<unsigned> slices;  ///< in rising order, one at least
};

class MemoryMap {
 public:
  /// Throws InputError unless interleave is a power of two of at least a line, slices at least 1 and a multiple of
  /// slices_per_channel.
  MemoryMap(const MemoryMapConfig& config, unsigned slices, unsigned slices_per_channel = 1);
  /// `colours`: by application, its slices, in rising order; all if it is not named, or none is. `ranges`: of whole lines, no
  /// two of an application overlap. Throws InputError for more than kMaxColourings sets of slices.
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
  /// Of an address of an application.
  unsigned slice(Address address, ApplicationId application) const;
  Address local(Address address, ApplicationId application) const;
  /// Address within its slice of a GPU address.
  Address local(Address address) const {
    return ((address >> shift_) / by_slices_) << shift_ | (address & offset_mask_);
  }
  /// GPU address: the inverse of slice() and local().
  Address global(unsigned slice, Address local) const;
  /// Address within the channel's DRAM: the chunks of the channel's slices take turns.
  Address channel_address(unsigned slice, Address local) const {
    const std::uint64_t chunk = (local >> shift_) * slices_per_channel_.value() + slices_per_channel_.remainder(slice);
    return chunk << shift_ | (local & offset_mask_);
  }
  unsigned slices() const { return slices_; }

 private:
  /// Divides by multiplying: this is on every access's path.
  struct Reciprocal {
    std::uint64_t divisor, reciprocal;
    friend std::uint64_t operator/(std::uint64_t n, const Reciprocal& by) {
      const auto q = static_cast<std::uint64_t>((static_cast<unsigned __int128>(n) * by.reciprocal) >> 64);
      return n - q * by.divisor >= by.divisor ? q + 1 : q;  // the reciprocal is rounded down: one short at most
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
  std::vector<std::uint16_t> colouring_of_;  ///< by application, 0: it has none; empty: nobody has, nor a range
  std::vector<Range> ranges_;                ///< by application and address
  std::vector<Coloured> colourings_;         ///< from 1 on
};

struct MemoryMap::Coloured {
  MemoryMap map;  ///< over these
  std::vector<std::uint16_t> slices;
  Address first_local;  ///< in each of them
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
