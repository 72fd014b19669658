#include "models/cache/sectored_tags.h"

#include <algorithm>
#include <string>

#include "tlm/error.h"

namespace gputlm {

namespace {

constexpr unsigned kMostWays = 65535;

unsigned checked_ways(unsigned ways) {
  if (ways == 0 || ways > kMostWays)
    throw InputError("a cache has " + std::to_string(ways) + " ways; 1 to 65535 are allowed");
  return ways;
}

unsigned checked_sets(unsigned sets) {
  if (sets == 0) throw InputError("a cache has no sets: it is smaller than one line in each of its ways");
  return sets;
}

}  // namespace

SectoredTags::SectoredTags(unsigned sets, unsigned ways, SetIndex index)
    : sets_(checked_sets(sets)), ways_(checked_ways(ways)), words_((ways + 7) / 8),
      hashed_(index == SetIndex::kHashed && sets > 1), power_of_two_((sets & (sets - 1)) == 0),
      fingerprints_(std::make_unique<std::uint64_t[]>(std::size_t{sets} * words_)),
      lines_(std::make_unique<Line[]>(std::size_t{sets} * ways)),
      links_(std::make_unique<Links[]>(std::size_t{sets} * ways)), newest_(std::make_unique<std::uint16_t[]>(sets)) {
  while ((2u << index_bits_) <= sets) ++index_bits_;
  reciprocal_ = power_of_two_ ? 0 : ~std::uint64_t{0} / sets;
  reset_order();
}

SectoredTags::Slot SectoredTags::victim(std::uint64_t number) const {
  const unsigned set = set_of(number);
  const Slot base = set * ways_;
  const unsigned oldest = links_[base + newest_[set]].newer;
  unsigned way = oldest;
  do {
    if (!lines_[base + way].pending) return base + way;
    way = links_[base + way].newer;
  } while (way != oldest);
  return kNoSlot;
}

void SectoredTags::replace(Slot slot, std::uint64_t number) {
  assert(slot / ways_ == set_of(number));
  lines_[slot] = Line{};
  lines_[slot].number = number;
  set_fingerprint(slot, fingerprint(number));
  touch(slot);
}

void SectoredTags::invalidate(Slot slot) {
  lines_[slot] = Line{};
  const unsigned set = slot / ways_;
  touch(slot);
  newest_[set] = links_[slot].older;  // turning the circle by one makes the newest the oldest: the next victim
}

void SectoredTags::invalidate_all() {
  std::fill_n(lines_.get(), slots(), Line{});
  reset_order();
}

void SectoredTags::set_fingerprint(Slot slot, std::uint64_t value) {
  const unsigned way = slot % ways_;
  std::uint64_t& word = fingerprints_[std::size_t{slot / ways_} * words_ + way / 8];
  const unsigned shift = way % 8 * 8;
  word = (word & ~(std::uint64_t{0xFF} << shift)) | value << shift;
}

void SectoredTags::move_to_front(unsigned set, unsigned way) {
  Links* links = &links_[std::size_t{set} * ways_];
  const std::uint16_t front = newest_[set];
  const std::uint16_t back = links[front].newer;
  newest_[set] = static_cast<std::uint16_t>(way);
  if (way == back) return;  // it stands before the newest already: turning the circle is all
  links[links[way].older].newer = links[way].newer;
  links[links[way].newer].older = links[way].older;
  links[way] = {front, back};
  links[front].newer = static_cast<std::uint16_t>(way);
  links[back].older = static_cast<std::uint16_t>(way);
}

void SectoredTags::reset_order() {
  for (unsigned set = 0; set < sets_; ++set) {
    newest_[set] = static_cast<std::uint16_t>(ways_ - 1);  // way 0 is the first to be taken
    for (unsigned way = 0; way < ways_; ++way) {
      links_[std::size_t{set} * ways_ + way] = {static_cast<std::uint16_t>((way + ways_ - 1) % ways_),
                                                static_cast<std::uint16_t>((way + 1) % ways_)};
    }
  }
}

}  // namespace gputlm
