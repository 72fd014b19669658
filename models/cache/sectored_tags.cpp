#include "models/cache/sectored_tags.h"

#include <algorithm>
#include <string>

#include "tlm/error.h"

namespace gputlm {

namespace {

constexpr unsigned kMaxWays = 65535;

unsigned checked_ways(unsigned ways) {
  if (ways == 0 || ways > kMaxWays)
    throw InputError("a cache has " + std::to_string(ways) + " ways; 1 to 65535 are allowed");
  return ways;
}

unsigned checked_sets(unsigned sets) {
  if (sets == 0) throw InputError("a cache has no sets: it is smaller than one line in each of its ways");
  return sets;
}

/// Bytes of a set's block: padded so that it lies in as few lines of the host's cache as possible.
std::size_t block_bytes(std::size_t used, std::size_t host_line) {
  std::size_t bytes = 8;
  while (bytes < used && bytes < host_line) bytes *= 2;
  return bytes < used ? (used + host_line - 1) / host_line * host_line : bytes;
}

}  // namespace

SectoredTags::SectoredTags(unsigned sets, unsigned ways, SetIndex index)
    : sets_(checked_sets(sets)), ways_(checked_ways(ways)), hashed_(index == SetIndex::kHashed && sets > 1),
      power_of_two_((sets & (sets - 1)) == 0) {
  while (1u << way_bits_ < ways_) ++way_bits_;
  while ((2u << index_bits_) <= sets) ++index_bits_;
  reciprocal_ = power_of_two_ ? 0 : ~std::uint64_t{0} / sets;
  order_offset_ = (ways_ + 7) / 8 * 8;
  block_bytes_ = block_bytes(
      order_offset_ + (narrow() ? RecencyOrder<std::uint8_t>::bytes(ways_) : RecencyOrder<std::uint16_t>::bytes(ways_)),
      kHostLine);
  blocks_ = std::make_unique<HostLine[]>((sets_ * block_bytes_ + kHostLine - 1) / kHostLine);
  lines_ = std::make_unique<Line[]>(slots());
  reset_order();
}

void SectoredTags::invalidate(Slot slot) {
  lines_[slot] = Line{};
  order_of(set_of_slot(slot), [way = way_of_slot(slot)](auto order) { order.make_oldest(way); });
}

void SectoredTags::invalidate_all() {
  if (empty_) return;  // kernels that leave no trace in a cache come one after the other
  std::fill_n(lines_.get(), slots(), Line{});
  reset_order();
  empty_ = true;
}

void SectoredTags::reset_order() {
  for (unsigned set = 0; set < sets_; ++set) {
    order_of(set, [this](auto order) { order.reset(ways_); });
  }
}

}  // namespace gputlm
