#include "models/sm/blocks/work.h"

#include <algorithm>

#include "models/kernel/shared_work.h"

namespace gputlm {

BlockWork BlockWorkReader::read(const BlockCode& code, std::uint32_t warps, SmId sm) {
  BlockWork all;
  if (dynamic_cast<const SharedWork*>(&code)) return all;
  all.only_spins = true;
  BlockWork one;
  const Instruction* last = nullptr;  // most warps run the same code as the warp before
  for (std::uint32_t w = 0; w < warps; ++w) {
    const WarpCode warp = code.warp(w);
    if (warp.code != last) {
      one = {};
      read_warp(warp, code, sm, one);
      last = warp.code;
    }
    all.instructions += one.instructions;
    all.thread_instructions += one.thread_instructions;
    all.spin = std::max(all.spin, one.spin);
    all.only_spins = all.only_spins && one.only_spins;
  }
  return all;
}

void BlockWorkReader::read_warp(const WarpCode& warp, const BlockCode& code, SmId sm, BlockWork& work) {
  before_.resize(warp.length);
  work.only_spins = true;
  Sum sum{0, 0};
  for (std::uint32_t i = 0; i < warp.length; ++i) {
    const Instruction& in = warp.code[i];
    before_[i] = sum;
    if (in.op == Op::kLoopEnd) {
      const LoopInfo loop = code.loop(in.operand);
      const Sum start = before_[loop.start];
      const std::uint64_t again = loop.iterations - 1;
      sum.instructions += again * (sum.instructions - start.instructions);
      sum.thread_instructions += again * (sum.thread_instructions - start.thread_instructions);
      continue;
    }
    if (in.op == Op::kSpin) {
      work.spin = std::max(work.spin, code.spin(in.operand, sm));
    } else if (in.op != Op::kExit) {
      work.only_spins = false;
    }
    ++sum.instructions;
    sum.thread_instructions += in.mask == ~0u ? kWarpSize : static_cast<unsigned>(__builtin_popcount(in.mask));
  }
  work.instructions = sum.instructions;
  work.thread_instructions = sum.thread_instructions;
}

}  // namespace gputlm
