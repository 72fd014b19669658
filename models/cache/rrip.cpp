#include <algorithm>
#include <vector>

#include "models/cache/replacement.h"

namespace gputlm {
namespace {

/// Re-reference interval prediction: a two-bit counter per line predicts how far off its next use is. Every
/// Options::near_every-th line of a set is inserted with a long interval (2), the others with a distant one (3); a use sets
/// it to 0. The first line with interval 3 is replaced; if no line has it, all intervals are incremented until one does.
class Rrip final : public Replacement {
 public:
  struct Options {
    unsigned near_every = 1;
    template <class Visitor>
    static void describe(Visitor& v) {
      v.number(&Options::near_every, "near_every", "lines", 1, 1024,
               "One of this many lines that enter a set is predicted to be reused; the others are evicted first",
               "Jaleel et al., ISCA 2010: 1 is SRRIP, 32 is BRRIP");
    }
  };

  Rrip(const ReplacementSetup& setup, const Options& options)
      : ways_(setup.ways), near_every_(options.near_every), intervals_(std::size_t{setup.sets} * setup.ways, kDistant),
        came_(setup.sets) {}

  void used(unsigned set, unsigned way) override { intervals_[std::size_t{set} * ways_ + way] = 0; }
  void filled(unsigned set, unsigned way) override {
    std::uint8_t* const intervals = &intervals_[std::size_t{set} * ways_];
    if (const std::uint8_t older = kDistant - intervals[way]; older > 0) {  // as victim() found it
      for (unsigned i = 0; i < ways_; ++i) intervals[i] = std::min<std::uint8_t>(kDistant, intervals[i] + older);
    }
    const bool near = ++came_[set] % near_every_ == 0;
    intervals[way] = near ? kDistant - 1 : kDistant;
  }
  unsigned victim(unsigned set, const SetView& view) const override {
    const std::uint8_t* const intervals = &intervals_[std::size_t{set} * ways_];
    unsigned best = kNoWay;
    for (unsigned way = 0; way < ways_; ++way) {
      if (!view.may_go(way) || (best != kNoWay && intervals[way] <= intervals[best])) continue;
      best = way;
      if (intervals[way] == kDistant) break;
    }
    return best;
  }
  void reset() override { std::fill(intervals_.begin(), intervals_.end(), kDistant); }

 private:
  static constexpr std::uint8_t kDistant = 3;

  unsigned ways_, near_every_;
  std::vector<std::uint8_t> intervals_;
  std::vector<std::uint32_t> came_;  ///< number of lines inserted, by set
};

}  // namespace

GPUTLM_REGISTER {
  add_replacement<Rrip>({{"rrip", 5},
                         "The line whose next use is predicted to be the most distant",
                         "Jaleel et al., \"High performance cache replacement using re-reference interval prediction "
                         "(RRIP)\", ISCA 2010"});
}

}  // namespace gputlm
