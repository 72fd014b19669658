#include "models/cache/sectored_tags.h"

#include <algorithm>
#include <string>
#include <utility>

#include "tlm/base/error.h"

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

/// Bytes of a set's block: padded to occupy as few cache lines of the host as possible.
std::size_t block_bytes(std::size_t used, std::size_t host_line) {
  std::size_t bytes = 8;
  while (bytes < used && bytes < host_line) bytes *= 2;
  return bytes < used ? (used + host_line - 1) / host_line * host_line : bytes;
}

}  // namespace

Decision<SetIndex>& l1_set_indices() {
  static Decision<SetIndex> all("L1 set index", 9, "sm.l1.set_index");
  return all;
}

Decision<SetIndex>& l2_set_indices() {
  static Decision<SetIndex> all("L2 set index", 10, "l2.set_index");
  return all;
}

GPUTLM_REGISTER {
  for (Decision<SetIndex>* const decision : {&l1_set_indices(), &l2_set_indices()}) {
    decision->add({{"modulo", 1}, "The lowest bits of the line's number", "GPGPU-Sim, linear set index"},
                  SetIndex::kModulo);
    decision->add(
        {{"fold", 2},
         "The exclusive or of groups of bits: strides are spread, a contiguous footprint fills all sets equally",
         "Rau, \"Pseudo-randomly interleaved memory\", ISCA 1991"},
        SetIndex::kFold);
    decision->add({{"mix", 3},
                   "A hash of all bits: any footprint is spread as if its lines were drawn at random",
                   "A100: bandwidth of the L1 falls slowly from 0.9 times its size on (silicon/caches)"},
                  SetIndex::kMix);
  }
}

SectoredTags::SectoredTags(unsigned sets, unsigned ways, SetIndex index, std::unique_ptr<Replacement> replacement)
    : most_sets_(checked_sets(sets)), ways_(checked_ways(ways)), index_(index), replacement_(std::move(replacement)) {
  while (1u << way_bits_ < ways_) ++way_bits_;
  order_offset_ = (ways_ + 7) / 8 * 8;
  block_bytes_ = block_bytes(
      order_offset_ + (narrow() ? RecencyOrder<std::uint8_t>::bytes(ways_) : RecencyOrder<std::uint16_t>::bytes(ways_)),
      kHostLine);
  blocks_ = std::make_unique<HostLine[]>((most_sets_ * block_bytes_ + kHostLine - 1) / kHostLine);
  index_sets(sets);
  lines_ = std::make_unique<Line[]>(slots());
  if (replacement_) filled_.resize(sets);
  reset_order();
}

void SectoredTags::index_sets(unsigned sets) {
  sets_ = sets;
  power_of_two_ = (sets & (sets - 1)) == 0;
  index_bits_ = 1;  // also for one set: a fold of zero bits would never end
  while ((2u << index_bits_) <= sets) ++index_bits_;
  reciprocal_ = power_of_two_ ? 0 : ~std::uint64_t{0} / sets;
}

void SectoredTags::resize(unsigned sets) {
  assert(sets > 0 && sets <= most_sets_);
  invalidate_all();
  index_sets(sets);
}

void SectoredTags::invalidate(Slot slot) {
  if (replacement_ && lines_[slot].number != kNoLine) --filled_[set_of_slot(slot)];
  lines_[slot] = Line{};
  order_of(set_of_slot(slot), [way = way_of_slot(slot)](auto order) { order.make_oldest(way); });
}

void SectoredTags::invalidate_all() {
  if (empty_) return;  // frequent: successive kernels that leave nothing in a cache
  std::fill_n(lines_.get(), slots(), Line{});
  std::fill(filled_.begin(), filled_.end(), std::uint16_t{0});
  reset_order();
  empty_ = true;
}

SectoredTags::Slot SectoredTags::victim_in(unsigned set, WaySet allowed) const {
  assert(ways_ <= kMaxWaysOfSet);
  if (replacement_) return policy_victim(set, allowed);
  return order_of(set, [this, set, allowed](auto order) {
    const unsigned oldest = order.oldest();
    unsigned way = oldest;
    do {
      if ((allowed >> way & 1) != 0 && !lines_[slot_of(set, way)].pending) return slot_of(set, way);
      way = order.newer(way);
    } while (way != oldest);
    return kNoSlot;
  });
}

SectoredTags::Slot SectoredTags::policy_victim(unsigned set, WaySet allowed) const {
  const SetView view{&lines_[slot_of(set, 0)], ways_, allowed};
  if (filled_[set] < ways_) {
    for (unsigned way = 0; way < ways_; ++way) {
      if (view.lines[way].number == kNoLine && view.may_go(way)) return slot_of(set, way);
    }
  }
  const unsigned way = replacement_->victim(set, view);
  return way == Replacement::kNoWay ? kNoSlot : slot_of(set, way);
}

void SectoredTags::policy_replace(Slot slot, std::uint64_t number) {
  const unsigned set = set_of_slot(slot), way = way_of_slot(slot);
  filled_[set] += lines_[slot].number == kNoLine;
  put(number, set, way);
  replacement_->filled(set, way);
}

void SectoredTags::reset_order() {
  if (replacement_) replacement_->reset();
  for (unsigned set = 0; set < sets_; ++set) {
    order_of(set, [this](auto order) { order.reset(ways_); });
  }
}

}  // namespace gputlm
