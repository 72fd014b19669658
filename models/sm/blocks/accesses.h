/// The memory instructions of a block, those that may go past the SM: read off its code without running it, and spread
/// evenly over its work. Its warps take turns, each with its next one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/kernel/kernel.h"
#include "models/sm/blocks/durations.h"

namespace gputlm {

class BlockAccesses {
 public:
  /// Of block `block` of `warps` warps, with `work` to do: the first is due at once, and none in the last `tail` of it.
  /// `code` must outlive the last call of take(). Of blocks that share their work as they go
  /// (models/kernel/shared_work.h), it is not known what they read: they have none.
  void begin(const BlockCode& code, std::uint32_t block, std::uint32_t warps, Work work, Work tail);

  /// So many have not been taken.
  std::uint64_t left() const { return left_; }
  /// The next one is due when no more than this of the work is left; 0 if there is none.
  Work due() const { return left_ > 0 ? due_ : 0; }
  /// No less than this is left before it has been taken: each warp waits with one that is due.
  Work floor() const { return due() - std::min(due(), apart_ * warps_.size()); }
  /// That have some.
  std::size_t warps() const { return warps_.size(); }

  struct Next {
    const Instruction* instruction;
    WarpPosition position;
  };
  /// Takes the next one; left() > 0.
  Next take();

 private:
  /// What a warp's code comes down to: memory instructions, and the ends of loops around them.
  struct Step {
    const Instruction* instruction;  ///< null: the end of a loop
    std::uint32_t iterations;        ///< of that loop
    std::uint32_t start;             ///< step at which it begins
    std::uint8_t depth;
  };
  struct Warp {
    std::uint32_t step, end;
    WarpPosition position;
  };
  /// Adds the steps of a warp's code; returns how many instructions they come to.
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
  std::vector<Before> before_;  ///< each instruction, while code is read
};

}  // namespace gputlm
