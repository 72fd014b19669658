#include "testbench/kinds/sorter/bench.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <utility>

#include "models/bit_words.h"
#include "testbench/kinds/sorter/coverage.h"
#include "testbench/kinds/sorter/played.h"
#include "testbench/kinds/sorter/traffic.h"
#include "testbench/lockstep/granted.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

unsigned slot_bits(const SorterSize& size) { return 32 - static_cast<unsigned>(__builtin_clz(size.warps - 1)); }

/// The places of the order output, all of them.
std::vector<unsigned> places(const SorterSize& size, const SorterOrder& order) {
  std::vector<unsigned> slots;
  const unsigned width = slot_bits(size);
  for (unsigned place = 0; place < size.warps; ++place) {
    unsigned slot = 0;
    for (unsigned i = 0; i < width; ++i) {
      const unsigned bit = place * width + i;
      slot |= static_cast<unsigned>(order.slots[bit / 64] >> bit % 64 & 1) << i;
    }
    slots.push_back(slot);
  }
  return slots;
}

bool agree(const SorterSize& size, const SorterExpected& expected, const SorterGrant& grant, const SorterOrder& order) {
  const bool any = expected.slot.has_value();
  const std::uint64_t warps = any ? std::uint64_t{1} << *expected.slot : 0;
  if (grant.valid != any || grant.warps != warps || grant.slot != expected.slot.value_or(0)) return false;
  // Places from the count on hold 0; without the order all do.
  std::vector<unsigned> slots = expected.order;
  if (!size.full_order) slots.clear();
  if (order.count != slots.size()) return false;
  slots.resize(size.warps, 0);
  return places(size, order) == slots;
}

std::string describe(const SorterInputs& inputs, const SorterExpected& expected, const SorterGrant& grant,
                     const SorterOrder& order, const SorterReference& state) {
  const SorterSize& size = state.size();
  std::string text = granted_text("warp", expected.slot, numbers_of(std::array<std::uint64_t, 1>{grant.warps}));
  const auto line = [&](const char* port, std::uint64_t should, std::uint64_t is) {
    text += fmt::format("  {} {:<14} expected {:#x}, found {:#x}\n", should == is ? ' ' : '*', port, should, is);
  };
  line("grant_valid_o", expected.slot.has_value(), grant.valid);
  line("grant_o", expected.slot ? std::uint64_t{1} << *expected.slot : 0, grant.warps);
  line("grant_slot_o", expected.slot.value_or(0), grant.slot);
  if (size.full_order) {
    line("order_count_o", expected.order.size(), order.count);
    text += fmt::format("    order_o        expected {}\n                   found    {}\n",
                        fmt::join(expected.order, " "), fmt::join(places(size, order), " "));
  }
  text += fmt::format("  inputs: reset {}, event {} ({} slot {} group {}), budgets {:#x}, ready {:#x}, issue {}\n",
                      !inputs.rst_n, inputs.event_valid, inputs.event_assign ? "assign" : "leave", inputs.event_slot,
                      inputs.event_group, inputs.budget, inputs.ready, inputs.issue);
  text += fmt::format("  warps {:#x}, last one that issued: {}, history {}\n", state.warps(),
                      state.greedy() == kNoWarp ? "none" : std::to_string(state.greedy()), state.history());
  for (const SorterReference::Group& group : state.groups()) {
    if (group.warps == 0) continue;
    text +=
        fmt::format("    group {} budget {} warps {:#x}\n", &group - state.groups().data(), group.budget, group.warps);
  }
  return text;
}

template <class Traffic>
class SorterBench final : public Bench {
 public:
  SorterBench(const SorterSize& size, const std::string& policy, std::unique_ptr<ObservedDevice<RtlSorter>> design,
              const WarpSchedulerMaker& make_policy, Traffic traffic)
      : design_(std::move(design)), reference_(size, make_policy), traffic_(std::move(traffic)),
        coverage_(size, options_owner(policy)) {
    // Nothing may be expected of the outputs before the first reset.
    inputs_.rst_n = false;
    design_->device().settle(inputs_);
    design_->device().rise(inputs_);
  }

  Observed& observed() override { return *design_; }
  void settle() override {
    inputs_ = traffic_.next(reference_);
    expected_ = reference_.expect(inputs_);
    inputs_.issue = traffic_.issues(expected_);
    design_->device().settle(inputs_);
    grant_ = design_->device().grant();
    order_ = design_->device().order();
  }
  bool agrees() const override { return agree(reference_.size(), expected_, grant_, order_); }
  std::string describe() const override { return gputlm::describe(inputs_, expected_, grant_, order_, reference_); }
  void rise() override { design_->device().rise(inputs_); }
  bool step() override {
    coverage_.sample(inputs_, expected_, reference_);
    reference_.rise(inputs_, expected_);
    return inputs_.rst_n && inputs_.issue;
  }
  const CoveragePoints& coverage() const override { return coverage_.points(); }
  bool ended() const override { return traffic_.ended(); }
  std::uint64_t cycles() const override { return traffic_.cycles(); }
  Played played() const override { return traffic_.played(); }

 private:
  std::unique_ptr<ObservedDevice<RtlSorter>> design_;
  SorterReference reference_;
  Traffic traffic_;
  SorterCoverage coverage_;
  SorterInputs inputs_;
  SorterExpected expected_;
  SorterGrant grant_;
  SorterOrder order_;
};

}  // namespace

SorterSize sorter_size(const RtlParameters& size) {
  return {size.at("Warps"), size.at("Groups"), size.at("BudgetW"), size.at("FullOrder") != 0};
}

Design sorter_design(const BuiltDesign& built, const std::string& policy,
                     std::shared_ptr<const SorterRecording> recording, WarpSchedulerMaker make_policy) {
  const SorterSize size = sorter_size(built.size);
  // Of groups with warps no two have the same.
  const unsigned budgets = (1u << size.budget_bits) - 1;
  if (budgets < size.groups) throw InputError(fmt::format("{}: fewer budgets ({}) than groups", built.name, budgets));
  if (!make_policy) make_policy = [policy, size] { return make_warp_scheduler(policy, {size.warps}); };
  return {built.name, policy, names_of(sorter_knobs(size)),
          [=, make = made_by<RtlSorter>(built)](std::uint64_t seed, const FixedKnobs& fixed) {
            const auto bench = [&](auto traffic) -> std::unique_ptr<Bench> {
              return std::make_unique<SorterBench<decltype(traffic)>>(size, policy, make(seed), make_policy,
                                                                      std::move(traffic));
            };
            if (recording) return bench(PlayedSorter(size, *recording));
            return bench(SorterTraffic(size, seed, fixed));
          }};
}

}  // namespace gputlm
