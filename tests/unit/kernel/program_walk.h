/// Executes a block's code as an SM would, one warp at a time.
#pragma once

#include <cstdint>

#include "models/kernel/kernel.h"

namespace gputlm {

/// Calls `visit(instruction, position)` for every instruction that warp `warp` of `block` executes, in order.
template <class F>
void walk_warp(const BlockCode& code, std::uint32_t block, std::uint32_t warp, F visit) {
  const WarpCode warp_code = code.warp(warp);
  WarpPosition position;
  position.block = block;
  position.warp = warp;
  for (std::uint32_t pc = 0; pc < warp_code.length;) {
    const Instruction& instruction = warp_code.code[pc];
    if (instruction.op == Op::kLoopEnd) {
      const LoopInfo loop = code.loop(instruction.operand);
      if (++position.loop[loop.depth] < loop.iterations) {
        pc = loop.start;
      } else {
        position.loop[loop.depth] = 0;
        ++pc;
      }
      continue;
    }
    visit(instruction, position);
    if (instruction.op == Op::kExit) return;
    ++pc;
  }
}

/// The same for every warp of every block of the kernel.
template <class F>
void walk_kernel(Kernel& kernel, F visit) {
  for (std::uint64_t block = 0; block < kernel.blocks(); ++block) {
    const auto code = kernel.code(block);
    for (std::uint32_t warp = 0; warp < kernel.warps_per_block(); ++warp)
      walk_warp(
          *code, static_cast<std::uint32_t>(block), warp,
          [&](const Instruction& instruction, const WarpPosition& position) { visit(*code, instruction, position); });
  }
}

}  // namespace gputlm
