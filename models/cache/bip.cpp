#include <memory>
#include <vector>

#include "models/cache/recency_order.h"
#include "models/cache/replacement.h"

namespace gputlm {
namespace {

/// Bimodal insertion: a new line replaces the LRU line and becomes the LRU line itself, except every Options::newest_every-th
/// line of a set, which becomes the MRU line. This protects resident lines from lines that are used only once.
class BimodalInsertion final : public Replacement {
 public:
  struct Options {
    unsigned newest_every = 32;
    template <class Visitor>
    static void describe(Visitor& v) {
      v.number(&Options::newest_every, "newest_every", "lines", 1, 1024,
               "One of this many lines that enter a set becomes the most recently used; the others are evicted first",
               "Qureshi et al., ISCA 2007: 32 to 64");
    }
  };

  BimodalInsertion(const ReplacementSetup& setup, const Options& options)
      : sets_(setup.sets), ways_(setup.ways), newest_every_(options.newest_every),
        bytes_(RecencyOrder<std::uint16_t>::bytes(setup.ways)),
        orders_(std::make_unique<unsigned char[]>(setup.sets * bytes_)), came_(setup.sets) {
    reset();
  }

  void used(unsigned set, unsigned way) override { order(set).make_newest(way); }
  void filled(unsigned set, unsigned way) override {
    if (++came_[set] % newest_every_ == 0) {
      order(set).make_newest(way);
    } else {
      order(set).make_oldest(way);
    }
  }
  unsigned victim(unsigned set, const SetView& view) const override {
    const RecencyOrder<std::uint16_t> used = order(set);
    unsigned way = used.oldest();
    for (unsigned i = 0; i < view.ways; ++i, way = used.newer(way)) {
      if (view.may_go(way)) return way;
    }
    return kNoWay;
  }
  void reset() override {
    for (unsigned set = 0; set < sets_; ++set) order(set).reset(ways_);
  }

 private:
  RecencyOrder<std::uint16_t> order(unsigned set) const { return RecencyOrder<std::uint16_t>(&orders_[set * bytes_]); }

  unsigned sets_, ways_, newest_every_;
  std::size_t bytes_;  ///< size of a set's order
  std::unique_ptr<unsigned char[]> orders_;
  std::vector<std::uint32_t> came_;  ///< number of lines inserted, by set
};

}  // namespace

GPUTLM_REGISTER {
  add_replacement<BimodalInsertion>({{"bip", 6},
                                     "The least recently used line; most lines are inserted as such",
                                     "Qureshi et al., \"Adaptive insertion policies for high performance caching\", "
                                     "ISCA 2007"});
}

}  // namespace gputlm
