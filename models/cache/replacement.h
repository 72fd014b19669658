/// Replacement: which line of a set makes room for another one. A decision of its own for the L1 (sm.l1.replacement) and for
/// the L2 (l2.replacement), with the same policies. Least recently used, which nearly all GPUs of simulators have, is part
/// of the tags (recency_order.h) and costs no call; the others are objects.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "models/cache/line.h"
#include "models/policy/policy.h"

namespace gputlm {

/// The places of a set, by way.
struct SetView {
  const CacheLine* lines;
  unsigned ways;
  WaySet allowed = kAllWays;  ///< of the first 64; whose lines may be replaced

  /// Its line may be replaced.
  bool may_go(unsigned way) const { return !lines[way].pending && (allowed == kAllWays || (allowed >> way & 1) != 0); }
};

/// The policy of one cache. Sets and ways are named by number. It decides from what it has been told, never by time. Empty
/// ways are filled before it is asked.
class Replacement : public PolicyObject {
 public:
  static constexpr unsigned kNoWay = ~0u;
  /// With a guard around it: for policies of plugins (models/policy/seam.h).
  static std::unique_ptr<Replacement> guarded(std::unique_ptr<Replacement> policy, const PolicySeam& seam);

  /// The line of the way has been used: read, or written while it was there.
  virtual void used(unsigned set, unsigned way) = 0;
  /// A line has come into the way: an empty one, or that which victim() named.
  virtual void filled(unsigned set, unsigned way) = 0;
  /// The way whose line goes; kNoWay if none may. Changes nothing: filled() says what came of it.
  virtual unsigned victim(unsigned set, const SetView& view) const = 0;
  /// All ways are empty.
  virtual void reset() = 0;

 protected:
  /// The first way from `start` on, going round, whose line may go; kNoWay if none may.
  static unsigned first_from(unsigned start, const SetView& view) {
    for (unsigned i = 0, way = start; i < view.ways; ++i) {
      if (view.may_go(way)) return way;
      if (++way == view.ways) way = 0;
    }
    return kNoWay;
  }
};

/// What a policy is made for.
struct ReplacementSetup {
  unsigned sets = 1;  ///< at most; a cache may use fewer
  unsigned ways = 1;
  PolicyOptions options = {};
};

using ReplacementDecision = ObjectDecision<Replacement, ReplacementSetup>;

/// The policies, for each cache that has the choice.
ReplacementDecision& l1_replacements();
ReplacementDecision& l2_replacements();

/// Adds a policy to both.
template <class Policy>
void add_replacement(const PolicyInfo& info) {
  l1_replacements().add<Policy>(info);
  l2_replacements().add<Policy>(info);
}

/// Makes the policy called `name`; null for least recently used, which the tags have. Throws InputError if there is none.
std::unique_ptr<Replacement> make_replacement(const ReplacementDecision& decision, const std::string& name,
                                              const ReplacementSetup& setup);

}  // namespace gputlm
