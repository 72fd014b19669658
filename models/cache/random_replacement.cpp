#include <vector>

#include "models/cache/replacement.h"

namespace gputlm {
namespace {

/// A random line. The draw is a hash of the set and of the number of lines inserted into it.
class RandomReplacement final : public Replacement {
 public:
  explicit RandomReplacement(const ReplacementSetup& setup) : ways_(setup.ways), drawn_(setup.sets) {}

  void used(unsigned, unsigned) override {}
  void filled(unsigned set, unsigned) override { ++drawn_[set]; }
  unsigned victim(unsigned set, const SetView& view) const override {
    std::uint64_t hash = std::uint64_t{set} << 32 | drawn_[set];
    hash = (hash ^ hash >> 31) * 0xbf58476d1ce4e5b9u;  // SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)
    hash = (hash ^ hash >> 27) * 0x94d049bb133111ebu;
    return first_from(static_cast<unsigned>(((hash >> 32) * ways_) >> 32), view);
  }
  void reset() override {}  // the count continues, so draws are not repeated

 private:
  std::uint64_t ways_;
  std::vector<std::uint32_t> drawn_;
};

}  // namespace

GPUTLM_REGISTER {
  add_replacement<RandomReplacement>(
      {{"random", 4}, "Any line", "fitted: the V100's L1 (silicon/caches, silicon/corun)"});
}

}  // namespace gputlm
