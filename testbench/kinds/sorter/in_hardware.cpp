#include "testbench/kinds/sorter/in_hardware.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "testbench/kind/at_most.h"

namespace gputlm {
namespace {

constexpr const char* kSorterSeam = "sm.warp_scheduler";

/// Budgets of the resident warps, and the index of each budget at the sorter's ports: the sorter treats warps with the same
/// budget as one group. An index becomes free when the group's last warp has left.
class BudgetGroups {
 public:
  explicit BudgetGroups(unsigned groups) : groups_(groups) {}
  /// Adds a warp of this budget. Throws InputError if there are too few groups.
  unsigned add(unsigned slot, unsigned budget, const std::string& policy) {
    const auto same =
        std::find_if(groups_.begin(), groups_.end(), [=](const Group& g) { return g.warps > 0 && g.budget == budget; });
    const auto group = same != groups_.end()
                           ? same
                           : std::find_if(groups_.begin(), groups_.end(), [](const Group& g) { return g.warps == 0; });
    if (group == groups_.end()) {
      at_most("different budgets of the warps of a sub-core", groups_.size() + 1, groups_.size(), kSorterSeam, policy);
    }
    group->budget = budget;
    ++group->warps;
    return of_slot_[slot] = static_cast<unsigned>(group - groups_.begin());
  }
  void remove(unsigned slot) { --groups_[of_slot_[slot]].warps; }

 private:
  struct Group {
    unsigned budget = 1;
    unsigned warps = 0;
  };
  std::vector<Group> groups_;
  std::array<unsigned, 64> of_slot_{};
};

/// The sorter of a sub-core in hardware. Events of the warps become port activity: one clock cycle per warp that arrives or
/// leaves, shared with the issue before it. The design is not clocked when nothing happens.
class SorterInHardware final : public WarpScheduler {
 public:
  /// `with_budgets`: the sorter uses them.
  SorterInHardware(const HardwareModel<SorterPorts>& model, std::string policy, bool with_budgets)
      : size_(model.size), policy_(std::move(policy)), with_budgets_(with_budgets), sorter_(model.make()),
        groups_(size_.groups) {
    for (unsigned g = 0; g < size_.groups; ++g) inputs_.budget.put(g, size_.budget_bits, 1);
    inputs_.rst_n = false;
    sorter_->settle(inputs_);
    sorter_->rise(inputs_);
    inputs_.rst_n = true;
  }

  unsigned pick(std::uint64_t candidates) const override {
    if (inputs_.event_valid || inputs_.issue) clock();
    inputs_.ready = candidates;
    sorter_->settle(inputs_);
    clock_is_low_ = true;
    const SorterOutputs found = sorter_->outputs();
    if (!found.grant_valid) throw InputError(policy_ + ": grant_valid_o is 0, but ready_i has warps that can issue");
    if (found.grant_slot >= size_.warps || (candidates >> found.grant_slot & 1) == 0) {
      throw InputError(policy_ + ": grant_slot_o is " + std::to_string(found.grant_slot) +
                       ", a warp that cannot issue");
    }
    return found.grant_slot;
  }

  void issued(unsigned slot) override {
    // The sorter grants its last answer at the edge: nothing may have happened since.
    if (!clock_is_low_ || inputs_.event_valid || inputs_.issue || sorter_->outputs().grant_slot != slot) {
      throw std::logic_error(policy_ + ": a warp issued that was not the last pick");
    }
    inputs_.issue = true;
  }

  void assigned(unsigned slot, unsigned budget) override {
    if (inputs_.event_valid) clock();
    inputs_.event_group = 0;
    if (with_budgets_) {
      at_most("budget of a warp", budget, largest_of(size_.budget_bits), kSorterSeam, policy_);
      inputs_.event_group = groups_.add(slot, budget, policy_);
      inputs_.budget.put(inputs_.event_group, size_.budget_bits, budget);
    }
    inputs_.event_valid = inputs_.event_assign = true;
    inputs_.event_slot = slot;
  }

  void released(unsigned slot) override {
    if (inputs_.event_valid) clock();
    if (with_budgets_) groups_.remove(slot);
    inputs_.event_valid = true;
    inputs_.event_assign = false;
    inputs_.event_slot = slot;
  }

 private:
  void clock() const {
    if (!inputs_.issue) inputs_.ready = 0;  // left from an earlier pick: those warps may have left
    if (!clock_is_low_) sorter_->settle(inputs_);
    sorter_->rise(inputs_);
    clock_is_low_ = false;
    inputs_.event_valid = inputs_.issue = false;
  }

  SorterSize size_;
  std::string policy_;
  bool with_budgets_;
  std::unique_ptr<Device<SorterPorts>> sorter_;
  BudgetGroups groups_;
  // A pick brings the hardware up to date with reported events, which does not count as a change.
  mutable SorterInputs inputs_;  ///< inputs of the next cycle
  mutable bool clock_is_low_ = false;
};

}  // namespace

std::unique_ptr<WarpScheduler> SorterHardware::make(const HardwareModel<Ports>& model, const Setup& setup,
                                                    const PolicyInfo& info) {
  at_most("sm.warps / sm.sub_cores", setup.slots, model.size.warps, kSorterSeam, info.name);
  return std::make_unique<SorterInHardware>(model, info.name, info.has(Property::kHeedsBudgets));
}

RtlParameters SorterHardware::wanted(const Setup& setup) {
  return {{"Warps", std::max(8u, setup.slots)}, {"Groups", 8}, {"BudgetW", 8}, {"FullOrder", 0}};
}

std::vector<PolicyInfo> SorterHardware::of_rtl() {
  return {of_rtl_module("lrr", 5, "sorter", "srtf, table 4; qaws"),
          of_rtl_module("gto", 6, "sorter", "fr-rr-fcfs, table 1; qaws"),
          of_rtl_module("qaws", 7, "sorter", "qaws, algorithm 1", {Property::kHeedsBudgets})};
}

PolicyInfo SorterHardware::own() { return {{}, {}, {}, {Property::kHeedsBudgets}}; }

}  // namespace gputlm
