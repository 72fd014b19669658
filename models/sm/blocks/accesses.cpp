#include "models/sm/blocks/accesses.h"

#include "models/kernel/shared_work.h"

namespace gputlm {
namespace {

bool leaves_the_sm(const Instruction& in) {
  switch (in.op) {
    case Op::kLoad:
    case Op::kStore:
    case Op::kAtomic:
    case Op::kAsyncLoad: return in.mask != 0 && (in.space == Space::kGlobal || in.space == Space::kLocal);
    default: return false;
  }
}

}  // namespace

void BlockAccesses::begin(const BlockCode& code, std::uint32_t block, std::uint32_t warps, Work work, Work tail) {
  steps_.clear();
  warps_.clear();
  turn_ = 0;
  left_ = 0;
  if (dynamic_cast<const SharedWork*>(&code)) return;
  const Instruction* last = nullptr;  // most warps run the same code as the warp before
  std::uint32_t begin = 0;
  std::uint64_t instructions = 0;
  for (std::uint32_t w = 0; w < warps; ++w) {
    const WarpCode warp = code.warp(w);
    if (warp.code != last) {
      begin = static_cast<std::uint32_t>(steps_.size());
      instructions = read(warp, code);
      last = warp.code;
    }
    left_ += instructions;
    if (instructions > 0) warps_.push_back({begin, static_cast<std::uint32_t>(steps_.size()), {block, w, {}}});
  }
  due_ = work;
  apart_ = left_ > 0 ? (work - tail) / left_ : 0;
}

std::uint64_t BlockAccesses::read(const WarpCode& warp, const BlockCode& code) {
  before_.resize(warp.length);
  std::uint64_t instructions = 0;
  for (std::uint32_t i = 0; i < warp.length; ++i) {
    const Instruction& in = warp.code[i];
    before_[i] = {instructions, static_cast<std::uint32_t>(steps_.size())};
    if (in.op == Op::kLoopEnd) {
      const LoopInfo loop = code.loop(in.operand);
      const Before& start = before_[loop.start];
      if (instructions == start.instructions) continue;
      instructions += (loop.iterations - 1) * (instructions - start.instructions);
      steps_.push_back({nullptr, loop.iterations, start.steps, loop.depth});
    } else if (leaves_the_sm(in)) {
      ++instructions;
      steps_.push_back({&in, 0, 0, 0});
    }
  }
  return instructions;
}

BlockAccesses::Next BlockAccesses::take() {
  while (warps_[turn_].step == warps_[turn_].end) turn_ = (turn_ + 1) % warps_.size();
  Warp& warp = warps_[turn_];
  turn_ = (turn_ + 1) % warps_.size();
  const Next next{steps_[warp.step].instruction, warp.position};
  ++warp.step;
  while (warp.step < warp.end && !steps_[warp.step].instruction) {  // advance to its next instruction
    const Step& loop = steps_[warp.step];
    std::uint32_t& done = warp.position.loop[loop.depth];
    if (++done < loop.iterations) {
      warp.step = loop.start;
    } else {
      done = 0;
      ++warp.step;
    }
  }
  --left_;
  due_ -= apart_;
  return next;
}

}  // namespace gputlm
