/// The memory instructions of a block that may leave the SM: read from its code without running it, and spread evenly over
/// its work. Its warps take turns, each with its next instruction.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/kernel/kernel.h"
#include "models/sm/blocks/durations.h"

namespace gputlm {

class BlockAccesses {
 public:
  /// Starts block `block` of `warps` warps, with `work` to do: the first instruction is due at once, and none in the last
  /// `tail` of the work. `code` must outlive the last call of take(). Blocks that share their work dynamically
  /// (models/kernel/shared_work.h) have none, since their reads are not known.
  void begin(const BlockCode& code, std::uint32_t block, std::uint32_t warps, Work work, Work tail);

  /// Instructions that have not been taken.
  std::uint64_t left() const { return left_; }
  /// The next instruction is due when no more than this of the work is left; 0 if there is none.
  Work due() const { return left_ > 0 ? due_ : 0; }
  /// The work cannot fall below this before the due instruction is taken: each warp waits with its own.
  Work floor() const { return due() - std::min(due(), apart_ * warps_.size()); }
  /// Warps that have instructions.
  std::size_t warps() const { return warps_.size(); }

  struct Next {
    const Instruction* instruction;
    WarpPosition position;
  };
  /// Takes the next instruction; left() > 0.
  Next take();

 private:
  /// A step of a warp's reduced code: a memory instruction, or the end of a loop around some.
  struct Step {
    const Instruction* instruction;  ///< null: the end of a loop
    std::uint32_t iterations;        ///< iterations of that loop
    std::uint32_t start;             ///< step at which the loop begins
    std::uint8_t depth;
  };
  struct Warp {
    std::uint32_t step, end;
    WarpPosition position;
  };
  /// Adds the steps of a warp's code; returns the number of instructions executed.
  std::uint64_t read(const WarpCode& warp, const BlockCode& code);

  std::vector<Step> steps_;
  std::vector<Warp> warps_;
  std::size_t turn_ = 0;
  std::uint64_t left_ = 0;
  Work due_ = 0, apart_ = 0;

  struct Before {
    std::uint64_t instructions;
    std::uint32_t steps;
  };
  std::vector<Before> before_;  ///< sums before each instruction, while code is read
};

}  // namespace gputlm
