#include "testbench/kinds/sorter/reference.h"

#include <utility>

namespace gputlm {

SorterReference::SorterReference(const SorterSize& size, WarpSchedulerMaker make_policy)
    : size_(size), make_policy_(std::move(make_policy)), group_of_(size.warps) {
  reset();
}

void SorterReference::reset() {
  policy_ = make_policy_();
  warps_ = 0;
  groups_.assign(size_.groups, {});
  greedy_ = kNoWarp;
  history_ = false;
  order_.clear();
}

void SorterReference::sort() {
  order_.clear();
  std::uint64_t left = warps_;
  // Counted, for a policy with a fault may pick a warp twice; one that holds warps back picks none in the end.
  for (int warps = __builtin_popcountll(warps_); warps > 0; --warps) {
    const unsigned slot = policy_->pick(left);
    if (slot == kNoWarp) break;
    order_.push_back(slot);
    left &= ~(std::uint64_t{1} << slot);
  }
}

SorterExpected SorterReference::expect(const SorterInputs& inputs) const {
  SorterExpected expected{std::nullopt, order_};
  if (inputs.ready == 0) return expected;
  if (const unsigned slot = policy_->pick(inputs.ready); slot != kNoWarp) expected.slot = slot;
  return expected;
}

void SorterReference::rise(const SorterInputs& inputs, const SorterExpected& expected) {
  if (!inputs.rst_n) {
    reset();
    return;
  }
  if (inputs.issue) {
    greedy_ = *expected.slot;
    history_ = true;
    policy_->issued(greedy_);
  }
  if (inputs.event_valid) {
    const unsigned slot = inputs.event_slot;
    const std::uint64_t warp = std::uint64_t{1} << slot;
    if (inputs.event_assign) {
      const unsigned group = inputs.event_group;
      const std::uint64_t mask = (std::uint64_t{1} << size_.budget_bits) - 1;
      groups_[group].budget = static_cast<unsigned>(inputs.budget >> group * size_.budget_bits & mask);
      groups_[group].warps |= warp;
      group_of_[slot] = group;
      warps_ |= warp;
      policy_->assigned(slot, groups_[group].budget);
    } else {
      groups_[group_of_[slot]].warps &= ~warp;
      warps_ &= ~warp;
      if (greedy_ == slot) greedy_ = kNoWarp;
      if (warps_ == 0) history_ = false;
      policy_->released(slot);
    }
  }
  if (inputs.issue || inputs.event_valid) sort();
}

}  // namespace gputlm
