#include <optional>

#include "models/work_distributor/in_turn.h"

namespace gputlm {
namespace {

/// Leftover, also called first in, first out: kernels take turns in order of arrival (most-room, section 6; srtf,
/// section 5.2.1), kernels of a more urgent level before all others: each priority level has a queue, and a lower level waits
/// while a higher one has a kernel with blocks left. Running blocks are not preempted (cuda-hierarchy, section III-B;
/// Amert et al., RTSS 2017).
class Leftover final : public KernelOrder {
 public:
  void offers(const std::vector<KernelState>& kernels, std::vector<Offer>& offers) const override {
    InTurn turns(kernels, offers);
    for (auto level = next_level(kernels, std::nullopt); level; level = next_level(kernels, level)) {
      for (std::size_t i = 0; i < kernels.size(); ++i) {
        if (kernels[i].priority == *level && !turns.offer(i)) return;
      }
    }
  }

 private:
  /// The most urgent priority of a kernel in flight that is less urgent than `than`, if that is given.
  static std::optional<int> next_level(const std::vector<KernelState>& kernels, std::optional<int> than) {
    std::optional<int> level;
    for (const KernelState& kernel : kernels) {
      if ((!than || kernel.priority > *than) && (!level || kernel.priority < *level)) level = kernel.priority;
    }
    return level;
  }
};

}  // namespace

GPUTLM_REGISTER {
  kernel_orders().add<Leftover>(
      {{"leftover", 1},
       "First launched first, on each SM; the next kernel follows when all blocks of the head are placed",
       "most-room, section 6; cuda-hierarchy, section III",
       {Property::kHeedsPriorities, Property::kRepeats}});
  kernel_orders().add<Leftover>({{"fifo", 2},
                                 "The same as leftover, by its name in srtf",
                                 "srtf, section 5.2.1",
                                 {Property::kHeedsPriorities, Property::kRepeats}});
}

}  // namespace gputlm
