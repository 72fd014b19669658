#include <algorithm>
#include <vector>

#include "models/cache/replacement.h"

namespace gputlm {
namespace {

/// Not recently used: one bit per line, set when it is used or inserted. When the last bit of a set is set, all others are
/// cleared. The first line with a clear bit is replaced.
class NotRecentlyUsed final : public Replacement {
 public:
  explicit NotRecentlyUsed(const ReplacementSetup& setup)
      : ways_(setup.ways), recent_(std::size_t{setup.sets} * setup.ways), count_(setup.sets) {}

  void used(unsigned set, unsigned way) override {
    std::uint8_t* const recent = of(set);
    if (recent[way]) return;
    recent[way] = 1;
    if (++count_[set] < ways_) return;
    std::fill_n(recent, ways_, std::uint8_t{0});
    recent[way] = 1;
    count_[set] = 1;
  }
  void filled(unsigned set, unsigned way) override { used(set, way); }
  unsigned victim(unsigned set, const SetView& view) const override {
    const std::uint8_t* const recent = &recent_[std::size_t{set} * ways_];
    for (unsigned way = 0; way < ways_; ++way) {
      if (!recent[way] && view.may_go(way)) return way;
    }
    return first_from(0, view);
  }
  void reset() override {
    std::fill(recent_.begin(), recent_.end(), std::uint8_t{0});
    std::fill(count_.begin(), count_.end(), 0u);
  }

 private:
  std::uint8_t* of(unsigned set) { return &recent_[std::size_t{set} * ways_]; }

  unsigned ways_;
  std::vector<std::uint8_t> recent_;
  std::vector<unsigned> count_;  ///< number of lines with a set bit, by set
};

}  // namespace

GPUTLM_REGISTER {
  add_replacement<NotRecentlyUsed>({{"nru", 3},
                                    "A line that has not been used since all others were",
                                    "Jaleel et al., \"High performance cache replacement using re-reference interval "
                                    "prediction\", ISCA 2010, section 2"});
}

}  // namespace gputlm
