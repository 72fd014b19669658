/// How much a block has to do, as far as its code says without running it.
#pragma once

#include <cstdint>
#include <vector>

#include "models/kernel/kernel.h"

namespace gputlm {

struct BlockWork {
  std::uint64_t instructions = 0;         ///< warp instructions; 0: not known before it runs
  std::uint64_t thread_instructions = 0;  ///< by active lane
  Femtoseconds spin = 0;                  ///< after its start, until which some warp spins
  bool only_spins = false;                ///< there is nothing but spins
};

class BlockWorkReader {
 public:
  /// Of a block of `warps` warps on SM `sm`. Blocks that share their work as they go (models/kernel/shared_work.h) do not
  /// say.
  BlockWork read(const BlockCode& code, std::uint32_t warps, SmId sm);

 private:
  struct Sum {
    std::uint64_t instructions, thread_instructions;
  };
  void read_warp(const WarpCode& warp, const BlockCode& code, SmId sm, BlockWork& work);

  std::vector<Sum> before_;  ///< each instruction, loops included
};

}  // namespace gputlm
