/// The expected behaviour of a sorter of rtl/, cycle by cycle: warp slots, budgets, and the C++ policy that decides.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "models/sm/warp_scheduler.h"
#include "testbench/kinds/sorter/ports.h"

namespace gputlm {

/// Makes the policy of a sub-core, as make_warp_scheduler() does for a name.
using WarpSchedulerMaker = std::function<std::unique_ptr<WarpScheduler>()>;

/// The required outputs while the inputs are stable.
struct SorterExpected {
  std::optional<unsigned> slot;  ///< the granted slot, if any
  /// All warps in order: the policy's pick among all, then its pick among the rest, and so on.
  std::vector<unsigned> order;
};

class SorterReference {
 public:
  struct Group {
    unsigned budget = 1;
    std::uint64_t warps = 0;  ///< warps of the group, a bit per slot
  };

  /// Starts in the reset state.
  SorterReference(const SorterSize& size, WarpSchedulerMaker make_policy)
      : size_(size), make_policy_(std::move(make_policy)), group_of_(size.warps) {
    reset();
  }
  SorterReference(const SorterSize& size, const std::string& policy)
      : SorterReference(size, [policy, size] { return make_warp_scheduler(policy, {size.warps}); }) {}

  SorterExpected expect(const SorterInputs& inputs) const {
    SorterExpected expected{std::nullopt, order_};
    if (inputs.ready == 0) return expected;
    if (const unsigned slot = policy_->pick(inputs.ready); slot != kNoWarp) expected.slot = slot;
    return expected;
  }
  /// The rising edge, with `expected` from before it.
  void rise(const SorterInputs& inputs, const SorterExpected& expected) {
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
        groups_[group].budget = inputs.budget.at(group, size_.budget_bits);
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

  const SorterSize& size() const { return size_; }
  /// Slots with a warp.
  std::uint64_t warps() const { return warps_; }
  /// Groups, numbered as at the ports.
  const std::vector<Group>& groups() const { return groups_; }
  /// Group of the warp in this slot.
  unsigned group_of(unsigned slot) const { return group_of_[slot]; }
  /// The last warp that issued, while it is resident; else kNoWarp.
  unsigned greedy() const { return greedy_; }
  /// Whether a warp has issued since the sorter was last empty.
  bool history() const { return history_; }
  const std::vector<unsigned>& order() const { return order_; }

 private:
  void reset() {
    policy_ = make_policy_();
    warps_ = 0;
    groups_.assign(size_.groups, {});
    greedy_ = kNoWarp;
    history_ = false;
    order_.clear();
  }
  void sort() {
    order_.clear();
    std::uint64_t left = warps_;
    // The loop counts, since a faulty policy may pick a warp twice, and one that holds warps back picks none at the end.
    for (int warps = __builtin_popcountll(warps_); warps > 0; --warps) {
      const unsigned slot = policy_->pick(left);
      if (slot == kNoWarp) break;
      order_.push_back(slot);
      left &= ~(std::uint64_t{1} << slot);
    }
  }

  SorterSize size_;
  WarpSchedulerMaker make_policy_;
  std::unique_ptr<WarpScheduler> policy_;
  std::uint64_t warps_ = 0;
  std::vector<Group> groups_;
  std::vector<unsigned> group_of_;
  unsigned greedy_ = kNoWarp;
  bool history_ = false;
  std::vector<unsigned> order_;
};

}  // namespace gputlm
