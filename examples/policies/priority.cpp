#include <algorithm>
#include <numeric>

#include "models/work_distributor/in_turn.h"

namespace {

using namespace gputlm;

/// Kernels take turns by the priorities of their streams, the lowest number first as in CUDA; ties in order of arrival.
class Priority final : public KernelOrder {
 public:
  struct Counters {
    std::uint64_t urgent = 0;
    template <class Visitor>
    static constexpr void describe(Visitor& v) {
      v.counter(&Counters::urgent, "urgent", "blocks", "Blocks of launches whose stream has a priority below 0");
    }
  };

  void block_sent(const KernelState& kernel, SmId, Cycle) override { counters_.urgent += kernel.launch->priority < 0; }
  void offers(const std::vector<KernelState>& kernels, std::vector<Offer>& offers) const override {
    std::vector<std::size_t> order(kernels.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return kernels[a].launch->priority < kernels[b].launch->priority;
    });
    InTurn turns(kernels, offers);
    for (const std::size_t kernel : order) {
      if (!turns.offer(kernel)) return;
    }
  }
  void count(PolicyCounts& counts) const override { counts.add(counters_); }

 private:
  Counters counters_;
};

GPUTLM_REGISTER {
  kernel_orders().add<Priority>({{"priority"},
                                 "As leftover, but streams of a more urgent priority go first",
                                 "an example",
                                 {Property::kHeedsPriorities}});
}

}  // namespace
