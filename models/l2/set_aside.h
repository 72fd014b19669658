/// The part of an L2 slice that is set aside for persisting accesses, by the rules of CUDA (CUDA C++ Programming Guide, "L2
/// Cache Control"):
///
/// - "Persisting accesses have prioritized use of this set-aside portion of L2 cache, whereas normal or streaming accesses to
///   global memory can only utilize this portion of L2 when it is unused by persisting accesses." Here so many lines of a set
///   may be persisting. Which ways they lie in does not matter. A line that comes replaces none of them, as long as there is
///   another one that may go.
/// - A window may be larger than the part: "cache lines will be evicted to keep the most recently used" of it there. Here
///   the least recently used (by l2.replacement) persisting line of the set becomes normal when there is one too many, and may
///   still be found. CUDA does not say so; a measurement does (docs/isolation.md, "Persisting accesses").
/// - Streaming lines are "preferentially evicted": they go before normal ones, whoever comes.
/// - A hit gives a line the property of the access that hits, if that is within the window of its kernel. So one with
///   hit_prop normal "forcibly resets" persisting lines. Accesses outside of any window leave a line as it is.
/// - Which lines of a window have hit_prop "is random with a probability of approximately hitRatio": by a hash of the
///   line's address, so the same ones at any time and in any run.
///
/// CUDA resets lines that nobody touches for long, at a time that it does not say; here they stay.
///
/// Each application has a part of its own: lines of a set over all slices, as even as they come to its bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/cache/sectored_tags.h"
#include "models/l2/access_policy.h"
#include "tlm/access.h"
#include "tlm/counters.h"

namespace gputlm {

/// How `window` has the line of an address; none: it lies outside.
std::optional<AccessProperty> property_in(const AccessPolicyWindow& window, Address address);

/// Of the persisting accesses of one application.
struct SetAsideStatistics {
  std::uint64_t hits = 0, misses = 0;
  std::uint64_t lines_kept = 0, lines_released = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = SetAsideStatistics;
    v.counter(&S::hits, "hits", "requests", "persisting accesses that hit in the L2");
    v.counter(&S::misses, "misses", "requests", "persisting accesses that did not");
    v.counter(&S::lines_kept, "lines_kept", "lines", "that became persisting");
    v.counter(&S::lines_released, "lines_released", "lines",
              "that were replaced or became normal; the others are persisting still");
  }
};

/// What applications ask for, together.
struct SetAsideSetup {
  std::vector<AccessPolicyWindow> windows =
      {};                         ///< Identity::access_policy names them, from 1 on; none: nothing is built
  std::vector<Bytes> bytes = {};  ///< of the L2, by application; 0, or none: not persisting, but normal
  bool is_given() const { return !windows.empty(); }
};

class SetAside {
 public:
  using Slot = SectoredTags::Slot;
  static constexpr std::size_t kMaxApplications = 250;  ///< with a part
  static bool is_persisting(const CacheLine& line) { return line.kept >= kFirstPart; }

  /// Of one of `slices` slices with these tags, which must outlive it. `ways`: by application, those in which it has its
  /// lines; what is not named has all.
  SetAside(const SetAsideSetup& setup, SectoredTags& tags, unsigned slices, const std::vector<WaySet>& ways);

  /// The slot that the line of the access takes; kNoSlot if all that it may take wait for fills.
  Slot victim_in(unsigned set, const Access& access) const;
  /// The line in the slot is about to be replaced.
  void goes(Slot slot);
  /// The line of the access has come into the slot, or is found there.
  void used(unsigned set, Slot slot, const Access& access);
  /// An access is served.
  void count(const Access& access, bool hit);

  /// By application.
  const std::vector<SetAsideStatistics>& statistics() const { return statistics_; }
  /// Lines of a set that may be persisting, of an application.
  unsigned lines_of(unsigned set, ApplicationId application) const;

 private:
  /// CacheLine::kept: normal, streaming, or the part that a persisting line is in.
  using Kept = std::uint8_t;
  static constexpr Kept kNormal = 0, kStreaming = 1, kFirstPart = 2;
  struct Part {
    ApplicationId application;
    unsigned lines;        ///< of each set,
    unsigned fuller_sets;  ///< and one more of the first ones
  };

  /// As the access would have it, if that is known; a persisting one of an application without a part is normal.
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
  std::vector<Part> parts_;    ///< from kFirstPart on
  std::vector<Kept> part_of_;  ///< by application; kNormal: none
  std::vector<SetAsideStatistics> statistics_;
};

}  // namespace gputlm
