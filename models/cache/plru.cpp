#include <algorithm>
#include <vector>

#include "models/cache/replacement.h"

namespace gputlm {
namespace {

/// Tree pseudo-LRU: a binary tree over the ways, whose nodes point away from the half used last. Following the nodes leads
/// to the line to replace; if that way may not be replaced or does not exist, the next way is taken.
class TreePseudoLru final : public Replacement {
 public:
  explicit TreePseudoLru(const ReplacementSetup& setup) {
    while (1u << levels_ < setup.ways) ++levels_;
    nodes_.resize(std::size_t{setup.sets} << levels_);
  }

  void used(unsigned set, unsigned way) override {
    std::uint8_t* const tree = &nodes_[std::size_t{set} << levels_];
    unsigned node = 1;
    for (unsigned level = levels_; level-- > 0;) {
      const unsigned half = way >> level & 1;
      tree[node] = static_cast<std::uint8_t>(1 - half);
      node = 2 * node + half;
    }
  }
  void filled(unsigned set, unsigned way) override { used(set, way); }
  unsigned victim(unsigned set, const SetView& view) const override {
    const std::uint8_t* const tree = &nodes_[std::size_t{set} << levels_];
    unsigned node = 1;
    for (unsigned level = 0; level < levels_; ++level) node = 2 * node + tree[node];
    const unsigned way = node - (1u << levels_);
    return first_from(way < view.ways ? way : 0, view);
  }
  void reset() override { std::fill(nodes_.begin(), nodes_.end(), std::uint8_t{0}); }

 private:
  unsigned levels_ = 0;
  std::vector<std::uint8_t> nodes_;  ///< one heap per set, from index 1 on: the half to go to
};

}  // namespace

GPUTLM_REGISTER {
  add_replacement<TreePseudoLru>({{"plru", 2},
                                  "The line that a binary tree of recently used halves leads to",
                                  "Handy, \"The Cache Memory Book\", 1993"});
}

}  // namespace gputlm
