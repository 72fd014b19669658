/// The part of an L2 slice set aside for persisting accesses, by the rules of CUDA (CUDA C++ Programming Guide, "L2 Cache
/// Control"):
///
/// - "Persisting accesses have prioritized use of this set-aside portion of L2 cache, whereas normal or streaming accesses
///   to global memory can only utilize this portion of L2 when it is unused by persisting accesses." Here a number of lines
///   of each set may be persisting, in any ways. A new line replaces none of them as long as another line can be replaced.
/// - A window may be larger than the part: "cache lines will be evicted to keep the most recently used" of it there. Here
///   the least recently used (by l2.replacement) persisting line of the set becomes normal when there is one too many, and
///   may still hit. CUDA does not specify this; a measurement shows it (docs/isolation.md, "Persisting accesses").
/// - Streaming lines are "preferentially evicted": they are replaced before normal ones, by any access.
/// - A hit gives a line the property of the access, if that is within the window of its kernel. So an access with hit_prop
///   normal "forcibly resets" persisting lines. Accesses outside any window leave a line unchanged.
/// - Which lines of a window have hit_prop "is random with a probability of approximately hitRatio": here a hash of the
///   line's address decides, so they are the same at any time and in any run.
///
/// CUDA resets lines that are not touched for an unspecified long time; here they stay.
///
/// Each application has a separate part: lines per set, distributed over all slices as evenly as its bytes allow.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/cache/sectored_tags.h"
#include "models/l2/access_policy.h"
#include "tlm/access.h"
#include "tlm/base/counters.h"

namespace gputlm {

/// The property of an address's line in `window`; none: the address is outside.
std::optional<AccessProperty> property_in(const AccessPolicyWindow& window, Address address);

/// Counters of one application's persisting accesses.
struct SetAsideStatistics {
  std::uint64_t hits = 0, misses = 0;
  std::uint64_t lines_kept = 0, lines_released = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = SetAsideStatistics;
    v.counter(&S::hits, "hits", "requests", "Persisting accesses that hit in the L2");
    v.counter(&S::misses, "misses", "requests", "Persisting accesses that missed in the L2");
    v.counter(&S::lines_kept, "lines_kept", "lines", "Lines that became persisting");
    v.counter(&S::lines_released, "lines_released", "lines",
              "Persisting lines that were replaced or became normal; the others are still persisting");
  }
};

/// The requests of all applications.
struct SetAsideSetup {
  std::vector<AccessPolicyWindow> windows =
      {};                         ///< windows, numbered from 1 by Identity::access_policy; none: no SetAside is built
  std::vector<Bytes> bytes = {};  ///< bytes of the L2 for each application; 0 or none: persisting counts as normal
  bool is_given() const { return !windows.empty(); }
};

class SetAside {
 public:
  using Slot = SectoredTags::Slot;
  static constexpr std::size_t kMaxApplications = 250;  ///< maximum number of applications with a part
  static bool is_persisting(const CacheLine& line) { return line.kept >= kFirstPart; }

  /// For one of `slices` slices with these tags, which must outlive it. `ways`: for each application, the ways of its lines; an
  /// application not listed has all.
  SetAside(const SetAsideSetup& setup, SectoredTags& tags, unsigned slices, const std::vector<WaySet>& ways);

  /// The slot for the line of the access; kNoSlot if all permitted slots wait for fills.
  Slot victim_in(unsigned set, const Access& access) const;
  /// The line in the slot is about to be replaced.
  void goes(Slot slot);
  /// The line of the access has been placed in the slot, or hit there.
  void used(unsigned set, Slot slot, const Access& access);
  /// Counts a served access.
  void count(const Access& access, bool hit);

  /// Statistics of each application.
  const std::vector<SetAsideStatistics>& statistics() const { return statistics_; }
  /// Lines of a set that may be persisting for an application.
  unsigned lines_of(unsigned set, ApplicationId application) const;

 private:
  /// CacheLine::kept: normal, streaming, or the part that a persisting line is in.
  using Kept = std::uint8_t;
  static constexpr Kept kNormal = 0, kStreaming = 1, kFirstPart = 2;
  struct Part {
    ApplicationId application;
    unsigned lines;        ///< lines of each set,
    unsigned fuller_sets;  ///< and one more in this many first sets
  };

  /// The property that the access requests, if any; persisting is normal for an application without a part.
  std::optional<Kept> wanted(const Access& access) const;
  bool has_part(ApplicationId application) const {
    return application < part_of_.size() && part_of_[application] >= kFirstPart;
  }
  Slot first(unsigned set) const { return set * slots_of_set_; }
  unsigned most(unsigned set, Kept part) const;
  WaySet ways_of(unsigned set, Kept kept) const;
  SetAsideStatistics& of(Kept part) { return statistics_[parts_[part - kFirstPart].application]; }
  bool has_room(unsigned set, Kept part);
  void keep(Slot slot, Kept kept);

  SectoredTags& tags_;
  Slot slots_of_set_;
  const std::vector<WaySet>& ways_;
  std::vector<AccessPolicyWindow> windows_;
  std::vector<Part> parts_;    ///< parts, numbered from kFirstPart on
  std::vector<Kept> part_of_;  ///< part of each application; kNormal: none
  std::vector<SetAsideStatistics> statistics_;
};

}  // namespace gputlm
