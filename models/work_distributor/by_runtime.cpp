#include <algorithm>
#include <numeric>

#include "models/work_distributor/in_turn.h"
#include "models/work_distributor/oracle.h"

namespace gputlm {
namespace {

/// Shortest and longest job first (srtf, section 1 and 6.2.1): kernels take turns as with leftover, but of the kernels that
/// have not begun, the one with the least, or the most, alone_cycles goes first; ties go in order of arrival. A kernel that
/// has begun loses nothing: it continues until all its blocks are sent. So two kernels that arrive at different times go in
/// order of arrival if the first finds room: the schedule of FIFO is then that of SJF or LJF, depending on the order of
/// arrival, as in figure 1 of srtf.
class ByRuntime : public KernelOrder {
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

struct ShortestJobFirst final : ByRuntime {
  ShortestJobFirst() : ByRuntime(false) {}
};
struct LongestJobFirst final : ByRuntime {
  LongestJobFirst() : ByRuntime(true) {}
};

}  // namespace

GPUTLM_REGISTER {
  kernel_orders().add<ShortestJobFirst>(
      {{"sjf", 7},
       "As leftover, but among kernels that have not begun, the one with the least alone_cycles is first (oracle)",
       "srtf, figure 1",
       {Property::kNeedsAloneCycles, Property::kRepeats}});
  kernel_orders().add<LongestJobFirst>(
      {{"ljf", 8},
       "As leftover, but among kernels that have not begun, the one with the most alone_cycles is first (oracle)",
       "srtf, figure 1",
       {Property::kNeedsAloneCycles, Property::kRepeats}});
}

}  // namespace gputlm
