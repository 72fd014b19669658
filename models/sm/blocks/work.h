/// The amount of a block's work, as far as its code tells without running it.
#pragma once

#include <cstdint>
#include <vector>

#include "models/kernel/kernel.h"

namespace gputlm {

struct BlockWork {
  std::uint64_t instructions = 0;         ///< warp instructions; 0: unknown before it runs
  std::uint64_t thread_instructions = 0;  ///< thread instructions: one per active lane
  Femtoseconds spin = 0;                  ///< time after its start until which some warp spins
  bool only_spins = false;                ///< the block only spins
};

class BlockWorkReader {
 public:
  /// The work of a block of `warps` warps on SM `sm`; unknown for blocks that share their work dynamically
  /// (models/kernel/shared_work.h).
  BlockWork read(const BlockCode& code, std::uint32_t warps, SmId sm);

 private:
  struct Sum {
    std::uint64_t instructions, thread_instructions;
  };
  void read_warp(const WarpCode& warp, const BlockCode& code, SmId sm, BlockWork& work);

  std::vector<Sum> before_;  ///< sums before each instruction, loops included
};

}  // namespace gputlm
