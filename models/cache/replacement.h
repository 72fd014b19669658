/// Replacement: which line of a set is replaced. The L1 (sm.l1.replacement) and the L2 (l2.replacement) each have this
/// decision, with the same policies. LRU, which nearly all simulated GPUs use, is part of the tags (recency_order.h) and
/// costs no call; the others are objects.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "models/cache/line.h"
#include "models/policy/policy.h"

namespace gputlm {

/// The lines of a set, indexed by way.
struct SetView {
  const CacheLine* lines;
  unsigned ways;
  WaySet allowed = kAllWays;  ///< ways among the first 64 whose lines may be replaced

  /// Whether the way's line may be replaced.
  bool may_go(unsigned way) const { return !lines[way].pending && (allowed == kAllWays || (allowed >> way & 1) != 0); }
};

/// The policy of one cache. Sets and ways are named by number. Decisions depend only on its calls, never on time. Empty
/// ways are filled without calling victim().
class Replacement : public PolicyObject {
 public:
  static constexpr unsigned kNoWay = ~0u;
  /// Wraps a policy of a plugin in a guard (models/policy/seam.h).
  static std::unique_ptr<Replacement> guarded(std::unique_ptr<Replacement> policy, const PolicySeam& seam);

  /// The line of the way has been used: read, or written while present.
  virtual void used(unsigned set, unsigned way) = 0;
  /// A line has been placed in the way, which was empty or named by victim().
  virtual void filled(unsigned set, unsigned way) = 0;
  /// The way whose line is replaced; kNoWay if none may be. Changes no state: filled() reports the outcome.
  virtual unsigned victim(unsigned set, const SetView& view) const = 0;
  /// All ways are empty.
  virtual void reset() = 0;

 protected:
  /// The first way from `start` on, circularly, whose line may be replaced; kNoWay if there is none.
  static unsigned first_from(unsigned start, const SetView& view) {
    for (unsigned i = 0, way = start; i < view.ways; ++i) {
      if (view.may_go(way)) return way;
      if (++way == view.ways) way = 0;
    }
    return kNoWay;
  }
};

/// The parameters of a policy.
struct ReplacementSetup {
  unsigned sets = 1;  ///< maximum number of sets; a cache may use fewer
  unsigned ways = 1;
  PolicyOptions options = {};
};

using ReplacementDecision = ObjectDecision<Replacement, ReplacementSetup>;

/// The policies of each cache.
ReplacementDecision& l1_replacements();
ReplacementDecision& l2_replacements();

/// Adds a policy to both.
template <class Policy>
void add_replacement(const PolicyInfo& info) {
  l1_replacements().add<Policy>(info);
  l2_replacements().add<Policy>(info);
}

/// Makes the policy called `name`; null for LRU, which the tags implement. Throws InputError if there is none.
std::unique_ptr<Replacement> make_replacement(const ReplacementDecision& decision, const std::string& name,
                                              const ReplacementSetup& setup);

}  // namespace gputlm
