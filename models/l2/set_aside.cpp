#include "models/l2/set_aside.h"

#include <cassert>

#include "tlm/counter_table.h"

namespace gputlm {

std::optional<AccessProperty> property_in(const AccessPolicyWindow& window, Address address) {
  if (address - window.base >= window.bytes) return std::nullopt;  // also below the window: this wraps around
  // A number from 0 to 2^53 - 1, which a double holds exactly. Not the hash of SetIndex::kMix, which chooses sets.
  const std::uint64_t drawn = mixed(address / kLineBytes ^ 0x9e3779b97f4a7c15u) >> 11;
  const bool hit = static_cast<double>(drawn) < window.hit_ratio * static_cast<double>(std::uint64_t{1} << 53);
  return hit ? window.hit_prop : window.miss_prop;
}

SetAside::SetAside(const SetAsideSetup& setup, SectoredTags& tags, unsigned slices, const std::vector<WaySet>& ways)
    : tags_(tags), slots_of_set_(tags.slots() / tags.sets()), ways_(ways), windows_(setup.windows),
      part_of_(setup.bytes.size(), kNormal) {
  assert(tags.ways() <= kMaxWaysOfSet);
  for (std::size_t a = 0; a < setup.bytes.size(); ++a) {
    if (setup.bytes[a] == 0) continue;
    assert(parts_.size() < kMaxApplications);
    part_of_[a] = static_cast<Kept>(kFirstPart + parts_.size());
    const auto lines = static_cast<unsigned>(setup.bytes[a] / kLineBytes / slices);
    parts_.push_back({static_cast<ApplicationId>(a), lines / tags.sets(), lines % tags.sets()});
  }
  statistics_.resize(setup.bytes.size());
}

std::optional<SetAside::Kept> SetAside::wanted(const Access& access) const {
  const unsigned window = access.identity.access_policy;
  if (window == 0) return std::nullopt;
  const auto property = property_in(windows_[window - 1], access.address);
  if (!property) return std::nullopt;
  if (*property == AccessProperty::kStreaming) return kStreaming;
  const ApplicationId application = access.identity.application;
  return *property == AccessProperty::kPersisting && has_part(application) ? part_of_[application] : kNormal;
}

unsigned SetAside::most(unsigned set, Kept part) const {
  const Part& of = parts_[part - kFirstPart];
  return of.lines + (set < of.fuller_sets ? 1 : 0);
}

unsigned SetAside::lines_of(unsigned set, ApplicationId application) const {
  return has_part(application) ? most(set, part_of_[application]) : 0;
}

/// The ways of a set whose lines have this class; empty ways count as streaming.
WaySet SetAside::ways_of(unsigned set, Kept kept) const {
  WaySet ways = 0;
  for (unsigned way = 0; way < tags_.ways(); ++way) {
    const CacheLine& line = tags_[first(set) + way];
    const Kept is = line.number == SectoredTags::kNoLine ? kStreaming : line.kept;
    ways |= WaySet{is == kept} << way;
  }
  return ways;
}

// Functions called by the slice are not inlined there: they would take registers even without windows.

[[gnu::noinline]] SetAside::Slot SetAside::victim_in(unsigned set, const Access& access) const {
  const ApplicationId application = access.identity.application;
  const WaySet allowed = application < ways_.size() ? ways_[application] : kAllWays;
  const auto one_of = [&](WaySet ways) {
    return (ways & allowed) == 0 ? SectoredTags::kNoSlot : tags_.victim_in(set, ways & allowed);
  };
  for (const Kept others : {kStreaming, kNormal}) {
    const Slot slot = one_of(ways_of(set, others));
    if (slot != SectoredTags::kNoSlot) return slot;
  }
  return one_of(kAllWays);  // the ways that it may use hold only persisting lines of others
}

void SetAside::keep(Slot slot, Kept kept) {
  CacheLine& line = tags_[slot];
  if (line.kept >= kFirstPart) ++of(line.kept).lines_released;
  if (kept >= kFirstPart) ++of(kept).lines_kept;
  line.kept = kept;
}

[[gnu::noinline]] void SetAside::goes(Slot slot) { keep(slot, kNormal); }

[[gnu::noinline]] void SetAside::used(unsigned set, Slot slot, const Access& access) {
  const auto kept = wanted(access);
  if (!kept || *kept == tags_[slot].kept) return;
  keep(slot, kNormal);
  if (*kept >= kFirstPart && !has_room(set, *kept)) return;
  keep(slot, *kept);
}

/// Makes room for another persisting line; false if all persisting lines wait for fills, or none are allowed.
bool SetAside::has_room(unsigned set, Kept part) {
  const WaySet ways = ways_of(set, part);
  if (static_cast<unsigned>(__builtin_popcountll(ways)) < most(set, part)) return true;
  const Slot oldest = ways ? tags_.victim_in(set, ways) : SectoredTags::kNoSlot;
  if (oldest == SectoredTags::kNoSlot) return false;
  keep(oldest, kNormal);
  return true;
}

[[gnu::noinline]] void SetAside::count(const Access& access, bool hit) {
  const auto kept = wanted(access);
  if (!kept || *kept < kFirstPart) return;
  SetAsideStatistics& statistics = of(*kept);
  ++(hit ? statistics.hits : statistics.misses);
}

GPUTLM_REGISTER { add_counter_table<SetAsideStatistics>("L2 set-aside", {"", "", "persisting_l2"}); }

}  // namespace gputlm
