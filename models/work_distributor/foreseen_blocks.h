/// Blocks under way whose ends the SMs have foretold (models/kernel/foresight.h): what would be on the links to the SMs and
/// back, and on the SMs, if they had been sent.
#pragma once

#include <vector>

#include "models/kernel/foresight.h"

namespace gputlm {

class ForeseenBlocks {
 public:
  /// `sms`: by SmId; they must outlive it. `hop`: cycles from sending a block until it is on its SM, and back.
  ForeseenBlocks(std::vector<SmForesight*> sms, Cycle hop) : sms_(std::move(sms)), hop_(hop) {}

  Cycle hop() const { return hop_; }
  /// The block goes to `block.identity.sm` at cycle `now`.
  void send(BlockLaunch& block, Kernel& kernel, Cycle now);
  /// When the first end is heard of; kNever if nothing is under way. No block will be sent before `other` unless an end
  /// has been heard of. If it is later than that, it may be even later than what is returned.
  Cycle next(Cycle other);
  /// The SMs are told of all that ends before `cycle`: no block is sent any more that may end earlier.
  void end_before(Cycle cycle);
  /// The SMs are told at `now` to take off all that is under way and has not ended when they hear of it.
  void take_off(Cycle now);
  /// The SM has told that it has brought back what it had taken off.
  void bring_back(std::uint16_t sm);
  /// The first of those whose end is heard of at `now`, in the order of the SMs; null if there is none (any more). After
  /// next().
  BlockLaunch* heard(Cycle now);
  /// The end of the last block of the kernel that is under way is heard of no earlier.
  Cycle last_of(KernelId kernel) const;

  /// A block under way as seen at some cycle.
  struct UnderWay {
    KernelId kernel = 0;
    std::uint16_t sm = 0, slot = 0;
    /// From that cycle on, as if it had not been off the SM before; `heard`: 0 as long as the end is to come.
    Cycle start = 0, end = 0, heard = 0;
    bool operator==(const UnderWay& o) const {
      return kernel == o.kernel && sm == o.sm && slot == o.slot && start == o.start && end == o.end && heard == o.heard;
    }
  };
  /// All that decides what becomes of them, if all is done that happens until cycle `now`: equal states have equal futures.
  struct State {
    std::vector<UnderWay> blocks = {};
    std::vector<Cycle> links = {};  ///< by SM: when a completion can leave at the earliest
    bool operator==(const State& o) const { return blocks == o.blocks && links == o.links; }
  };
  State state(Cycle now);
  /// How many are under way, and where and when the first of them ends: where that differs, so do states.
  struct Sketch {
    std::size_t count = 0;
    std::uint16_t sm = 0;
    Cycle end = 0;
    bool operator==(const Sketch& o) const { return count == o.count && sm == o.sm && end == o.end; }
  };
  Sketch sketch(Cycle now);
  /// What each SM has been told of until `now`; after state().
  std::vector<SmForesight::Totals> totals(Cycle now) const;

  /// All that has happened in the `period` cycles up to `now` happens `times` times more. `each`: what it adds to the
  /// totals, by SM. `blocks`: that are sent in it, all of one kernel. Returns one of them that is under way.
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
  std::vector<Event> ends_;        ///< on the SMs that are to come: a heap
  std::vector<Event> heard_;       ///< ends that have been, and are to be heard of: a heap
  std::vector<BlockLaunch*> off_;  ///< of take_off(), kept for its memory
};

}  // namespace gputlm
