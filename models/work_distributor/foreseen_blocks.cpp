#include "models/work_distributor/foreseen_blocks.h"

#include <algorithm>

namespace gputlm {

void ForeseenBlocks::push(std::vector<Event>& heap, const Event& event) {
  heap.push_back(event);
  std::push_heap(heap.begin(), heap.end(), later);
}

ForeseenBlocks::Event ForeseenBlocks::pop(std::vector<Event>& heap) {
  std::pop_heap(heap.begin(), heap.end(), later);
  const Event event = heap.back();
  heap.pop_back();
  return event;
}

void ForeseenBlocks::send(BlockLaunch& block, Kernel& kernel, Cycle now) {
  block.start = now + hop_;
  end_before(block.start);
  sms_[block.identity.sm]->start(block, kernel, now);
  push(ends_, {block.end, block.identity.sm, block.slot, &block});
}

/// A block ends more than a hop after the cycle in which it is sent. So an end is final once no further block can
/// start by then.
void ForeseenBlocks::end_first() {
  Event event = pop(ends_);
  event.at = sms_[event.sm]->end(*event.block) + hop_;
  push(heard_, event);
}

void ForeseenBlocks::end_before(Cycle cycle) {
  while (!ends_.empty() && ends_.front().at < cycle) end_first();
}

void ForeseenBlocks::take_off(Cycle now) {
  const Cycle at = now + hop_;
  end_before(at + 1);
  std::sort(ends_.begin(), ends_.end(),
            [](const Event& a, const Event& b) { return a.sm != b.sm ? a.sm < b.sm : a.slot < b.slot; });
  for (auto first = ends_.begin(); first != ends_.end();) {
    const std::uint16_t sm = first->sm;
    off_.clear();
    for (; first != ends_.end() && first->sm == sm; ++first) off_.push_back(first->block);
    sms_[sm]->take_off(off_, at, now);
  }
  ends_.clear();
}

void ForeseenBlocks::bring_back(std::uint16_t sm) {
  for (BlockLaunch* const block : sms_[sm]->brought_back()) push(ends_, {block->end, sm, block->slot, block});
}

Cycle ForeseenBlocks::next(Cycle other) {
  while (true) {
    const Cycle heard = heard_.empty() ? kNever : heard_.front().at;
    const Cycle ends = ends_.empty() ? kNever : ends_.front().at + hop_;
    if (ends > std::min(other, heard) || ends == kNever) return std::min(ends, heard);
    end_first();
  }
}

BlockLaunch* ForeseenBlocks::heard(Cycle now) {
  return !heard_.empty() && heard_.front().at == now ? pop(heard_).block : nullptr;
}

Cycle ForeseenBlocks::last_of(KernelId kernel) const {
  Cycle last = 0;
  const auto look = [&](const std::vector<Event>& events, Cycle further) {
    for (const Event& event : events) {
      if (event.block->identity.kernel == kernel) last = std::max(last, event.at + further);
    }
  };
  look(ends_, hop_);
  look(heard_, 0);
  return last;
}

ForeseenBlocks::State ForeseenBlocks::state(Cycle now) {
  end_before(now + hop_ + 1);
  State state;
  state.blocks.reserve(ends_.size() + heard_.size());
  for (const auto* const events : {&heard_, &ends_}) {
    const std::size_t first = state.blocks.size();
    for (const Event& event : *events) {
      const BlockLaunch& block = *event.block;
      state.blocks.push_back({block.identity.kernel, event.sm, block.slot, block.start + block.preempted - now,
                              block.end - now, events == &heard_ ? event.at - now : 0});
    }
    std::sort(state.blocks.begin() + static_cast<std::ptrdiff_t>(first), state.blocks.end(),
              [](const UnderWay& a, const UnderWay& b) {
                return a.sm != b.sm ? a.sm < b.sm : a.heard != b.heard ? a.heard < b.heard : a.slot < b.slot;
              });
  }
  const Cycle frontier = now + hop_ + 1;
  for (const SmForesight* const sm : sms_) state.links.push_back(std::max(sm->link_free(), frontier) - frontier);
  return state;
}

ForeseenBlocks::Sketch ForeseenBlocks::sketch(Cycle now) {
  end_before(now + hop_ + 1);
  if (ends_.empty()) return {};
  return {ends_.size() + heard_.size(), ends_.front().sm, ends_.front().at - now};
}

std::vector<SmForesight::Totals> ForeseenBlocks::totals(Cycle now) const {
  std::vector<SmForesight::Totals> all;
  for (const SmForesight* const sm : sms_) all.push_back(sm->totals(now + hop_ + 1));
  return all;
}

const BlockLaunch& ForeseenBlocks::repeat(Cycle now, std::uint64_t times, Cycle period,
                                          const std::vector<SmForesight::Totals>& each, std::uint64_t blocks) {
  const BlockLaunch& like = *(ends_.empty() ? heard_ : ends_).front().block;
  for (std::size_t sm = 0; sm < sms_.size(); ++sm) sms_[sm]->repeat(now, times, period, each[sm], like);
  for (auto* const events : {&heard_, &ends_}) {
    for (Event& event : *events) {
      event.at += times * period;
      event.block->start += times * period;
      event.block->end += times * period;
      event.block->identity.block += static_cast<std::uint32_t>(times * blocks);
    }
  }
  return like;
}

}  // namespace gputlm
