#include "models/sm/qaws.h"

#include <algorithm>
#include <cassert>

namespace gputlm {

Qaws::Qaws() { groups_.reserve(64); }

/// Greedy, then oldest (lines 30 to 36).
unsigned Qaws::first_of(std::uint64_t warps) const {
  if (greedy_ != kNoWarp && (warps >> greedy_ & 1)) return greedy_;
  return ages_.oldest_of(warps);
}

unsigned Qaws::pick(std::uint64_t candidates) const {
  std::size_t group = turn_;
  while (!(groups_[group].warps & candidates)) group = group + 1 == groups_.size() ? 0 : group + 1;
  return first_of(groups_[group].warps & candidates);
}

void Qaws::issued(unsigned slot) {
  Group& g0 = groups_[turn_];
  // Lines 8, 11 and 14: a single group, the head of the queue, or a stall of all of g0 (22) is not counted.
  if (groups_.size() > 1 && (g0.warps >> slot & 1) && slot != first_of(g0.warps)) {
    ++counters_.context_switches;
    if (g0.switches < g0.budget) {
      ++g0.switches;  // 16
    } else {
      g0.switches = 0;  // 19
      ++counters_.turns;
      turn_ = turn_ + 1 == groups_.size() ? 0 : turn_ + 1;
    }
  }
  greedy_ = slot;
  history_ = true;
}

void Qaws::assigned(unsigned slot, unsigned budget) {
  ages_.add(slot);
  const auto place = std::find_if(groups_.begin(), groups_.end(), [=](const Group& g) { return g.budget <= budget; });
  const std::uint64_t warp = std::uint64_t{1} << slot;
  if (place != groups_.end() && place->budget == budget) {
    place->warps |= warp;
    return;
  }
  const auto index = static_cast<std::size_t>(place - groups_.begin());
  const bool before_turn = !groups_.empty() && index <= turn_;
  groups_.insert(place, {budget, 0, warp});
  if (before_turn) ++turn_;
  if (!history_) turn_ = 0;
}

void Qaws::released(unsigned slot) {
  ages_.remove(slot);
  if (greedy_ == slot) greedy_ = kNoWarp;
  const std::uint64_t warp = std::uint64_t{1} << slot;
  const auto group = std::find_if(groups_.begin(), groups_.end(), [=](const Group& g) { return g.warps & warp; });
  assert(group != groups_.end());
  if ((group->warps &= ~warp)) return;
  const auto index = static_cast<std::size_t>(group - groups_.begin());
  groups_.erase(group);
  if (index < turn_) --turn_;
  if (turn_ == groups_.size()) turn_ = 0;
  if (groups_.empty()) history_ = false;
}

GPUTLM_REGISTER {
  warp_schedulers().add<Qaws>(
      {{"qaws", 4},
       "QoS-aware: kernels take turns, each for as many warp switches as its budget; gto within a turn",
       "qaws, algorithm 1",
       {Property::kHeedsBudgets}});
}

}  // namespace gputlm
