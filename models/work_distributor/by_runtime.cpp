#include <algorithm>
#include <numeric>

#include "models/work_distributor/in_turn.h"
#include "models/work_distributor/oracle.h"

namespace gputlm {
namespace {

/// Shortest and longest job first (srtf, section 1 and 6.2.1): kernels take turns as with leftover, but among those
/// that have not begun the one with the least, or the most, alone_cycles goes first; ties in order of arrival. Nothing
/// is taken from a kernel that has begun: it goes on until all its blocks are sent. So two kernels that arrive apart,
/// the first of which finds room, go in order of arrival: FIFO's schedule is SJF's or LJF's then, depending on that
/// order, as in figure 1 of srtf.
class ByRuntime final : public KernelOrder {
 public:
  explicit ByRuntime(bool longest) : longest_(longest) {}

  void launched(const KernelState& kernel, Cycle) override { alone_cycles(kernel); }

  void offers(const std::vector<KernelState>& kernels, std::vector<Offer>& offers) const override {
    std::vector<std::size_t> order(kernels.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return before(kernels[a], kernels[b]); });
    InTurn turns(kernels, offers);
    for (const std::size_t i : order) {
      if (!turns.offer(i)) return;
    }
  }

 private:
  bool before(const KernelState& a, const KernelState& b) const {
    const bool a_begun = a.dispatched > 0, b_begun = b.dispatched > 0;
    if (a_begun || b_begun) return a_begun && !b_begun;
    return longest_ ? alone_cycles(a) > alone_cycles(b) : alone_cycles(a) < alone_cycles(b);
  }

  bool longest_;
};

}  // namespace

std::unique_ptr<KernelOrder> make_shortest_job_first(const KernelOrderSetup&) {
  return std::make_unique<ByRuntime>(false);
}
std::unique_ptr<KernelOrder> make_longest_job_first(const KernelOrderSetup&) {
  return std::make_unique<ByRuntime>(true);
}

}  // namespace gputlm
