/// Blocks under way whose ends the SMs have foretold (models/kernel/foresight.h): what would be on the links to the SMs and
/// back, and on the SMs, if they had been sent.
#pragma once

#include <vector>

#include "models/kernel/foresight.h"

namespace gputlm {

class ForeseenBlocks {
 public:
  /// `sms`: indexed by SmId; they must outlive it. `hop`: cycles from sending a block until it is on its SM, and back.
  ForeseenBlocks(std::vector<SmForesight*> sms, Cycle hop) : sms_(std::move(sms)), hop_(hop) {}

  Cycle hop() const { return hop_; }
  /// The block goes to `block.identity.sm` at cycle `now`.
  void send(BlockLaunch& block, Kernel& kernel, Cycle now);
  /// Cycle in which the first end is reported; kNever if no block is under way. No block will be sent before `other` unless an
  /// end has been reported. If the result is later than `other`, the end may be reported even later.
  Cycle next(Cycle other);
  /// Tells the SMs of all ends before `cycle`: no more blocks that may end earlier will be sent.
  void end_before(Cycle cycle);
  /// Tells the SMs at `now` to take off all blocks that have not ended when the command arrives.
  void take_off(Cycle now);
  /// The SM has reported that it has brought back the blocks that it had taken off.
  void bring_back(std::uint16_t sm);
  /// The next block whose end is reported at `now`, in the order of the SMs; null if there is no more. To be called after
  /// next().
  BlockLaunch* heard(Cycle now);
  /// Cycle before which the end of the kernel's last block that is under way is not reported.
  Cycle last_of(KernelId kernel) const;

  /// A block under way as seen at some cycle.
  struct UnderWay {
    KernelId kernel = 0;
    std::uint16_t sm = 0, slot = 0;
    /// Relative to that cycle, as if it had not been off the SM before; `heard`: 0 while the end is still to come.
    Cycle start = 0, end = 0, heard = 0;
    bool operator==(const UnderWay& o) const {
      return kernel == o.kernel && sm == o.sm && slot == o.slot && start == o.start && end == o.end && heard == o.heard;
    }
  };
  /// Everything that determines their future after all events up to cycle `now`: equal states have equal futures.
  struct State {
    std::vector<UnderWay> blocks = {};
    std::vector<Cycle> links = {};  ///< earliest cycle in which a completion can leave each SM, relative as well
    bool operator==(const State& o) const { return blocks == o.blocks && links == o.links; }
  };
  State state(Cycle now);
  /// Number of blocks under way, and SM and cycle of the first end: if these differ, so do the states.
  struct Sketch {
    std::size_t count = 0;
    std::uint16_t sm = 0;
    Cycle end = 0;
    bool operator==(const Sketch& o) const { return count == o.count && sm == o.sm && end == o.end; }
  };
  Sketch sketch(Cycle now);
  /// The totals that each SM has been told of until `now`; to be called after state().
  std::vector<SmForesight::Totals> totals(Cycle now) const;

  /// Everything that has happened in the `period` cycles up to `now` happens `times` times more. `each`: what a period adds to
  /// the totals of each SM. `blocks`: number sent in a period, all of one kernel. Returns one of them that is under way.
  const BlockLaunch& repeat(Cycle now, std::uint64_t times, Cycle period, const std::vector<SmForesight::Totals>& each,
                            std::uint64_t blocks);

 private:
  struct Event {
    Cycle at = 0;
    std::uint16_t sm = 0, slot = 0;
    BlockLaunch* block = nullptr;
  };
  /// For heaps with the first event on top.
  static bool later(const Event& a, const Event& b) {
    return a.at != b.at ? a.at > b.at : a.sm != b.sm ? a.sm > b.sm : a.slot > b.slot;
  }
  static void push(std::vector<Event>& heap, const Event& event);
  static Event pop(std::vector<Event>& heap);
  void end_first();

  std::vector<SmForesight*> sms_;
  Cycle hop_;
  std::vector<Event> ends_;        ///< ends on the SMs that are to come: a heap
  std::vector<Event> heard_;       ///< past ends that are still to be reported: a heap
  std::vector<BlockLaunch*> off_;  ///< temporary of take_off(), kept for its memory
};

}  // namespace gputlm
