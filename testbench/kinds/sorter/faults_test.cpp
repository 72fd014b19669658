// The lockstep bench finds faults in the C++ policies of a sub-core.

#include <gtest/gtest.h>

#include <array>
#include <utility>

#include "testbench/kinds/sorter/bench.h"
#include "testbench/mutations/mutated_designs.h"

namespace gputlm {
namespace {

/// A policy with a fault in front of it, which changes its visible behaviour.
class FaultyScheduler : public WarpScheduler {
 public:
  explicit FaultyScheduler(std::unique_ptr<WarpScheduler> right) : right_(std::move(right)) {}
  unsigned pick(std::uint64_t candidates) const override { return right_->pick(candidates); }
  void issued(unsigned slot) override { right_->issued(slot); }
  void assigned(unsigned slot, unsigned budget) override {
    right_->assigned(slot, budget);
    warps_ |= std::uint64_t{1} << slot;
    budget_[slot] = budget;
  }
  void released(unsigned slot) override {
    right_->released(slot);
    warps_ &= ~(std::uint64_t{1} << slot);
  }

 protected:
  std::uint64_t warps() const { return warps_; }
  /// The warps with the same budget as the warp in `slot`, including this warp.
  std::uint64_t peers(unsigned slot) const {
    std::uint64_t peers = 0;
    for (unsigned other = 0; other < 64; ++other) {
      if ((warps_ >> other & 1) && budget_[other] == budget_[slot]) peers |= std::uint64_t{1} << other;
    }
    return peers;
  }

 private:
  std::unique_ptr<WarpScheduler> right_;
  std::uint64_t warps_ = 0;
  std::array<unsigned, 64> budget_{};
};

class BudgetOneLate final : public FaultyScheduler {
 public:
  using FaultyScheduler::FaultyScheduler;
  void assigned(unsigned slot, unsigned budget) override { FaultyScheduler::assigned(slot, budget + 1); }
};

class BudgetOneEarly final : public FaultyScheduler {
 public:
  using FaultyScheduler::FaultyScheduler;
  void assigned(unsigned slot, unsigned budget) override { FaultyScheduler::assigned(slot, budget - 1); }
};

/// The policy never learns which warp issued.
class IssueUnheard final : public FaultyScheduler {
 public:
  using FaultyScheduler::FaultyScheduler;
  void issued(unsigned) override {}
};

/// Another warp with the new warp's budget, the one in the lowest slot, counts as the youngest instead of the new warp.
class WarpMisaged final : public FaultyScheduler {
 public:
  using FaultyScheduler::FaultyScheduler;
  void assigned(unsigned slot, unsigned budget) override {
    FaultyScheduler::assigned(slot, budget);
    const std::uint64_t others = peers(slot) & ~(std::uint64_t{1} << slot);
    if (others != 0) {
      const auto other = static_cast<unsigned>(__builtin_ctzll(others));
      FaultyScheduler::released(other);
      FaultyScheduler::assigned(other, budget);
    }
  }
};

/// The first of all warps is granted, even if it is not ready.
class StalledGranted final : public FaultyScheduler {
 public:
  using FaultyScheduler::FaultyScheduler;
  unsigned pick(std::uint64_t) const override { return FaultyScheduler::pick(warps()); }
};

/// A context switch is counted when the whole group that has its turn stalls.
class StallsCounted final : public FaultyScheduler {
 public:
  using FaultyScheduler::FaultyScheduler;
  void issued(unsigned slot) override {
    const unsigned head = FaultyScheduler::pick(warps());
    const std::uint64_t others = peers(head) & ~(std::uint64_t{1} << head);
    // The fault acts as if a warp of that group had issued first.
    if (!(peers(head) >> slot & 1) && others != 0) FaultyScheduler::issued(FaultyScheduler::pick(others));
    FaultyScheduler::issued(slot);
  }
};

/// The module of the policy, compared with another one.
LockstepResult against(const std::string& policy, WarpSchedulerMaker other) {
  const BuiltInDesign& of = built_in_designs().at(policy + "_without_fault");
  return run_lockstep(sorter_design(of.built(), of.policy, std::move(other)), decisions(kDecisions));
}

template <class Fault>
LockstepResult against(const char* policy) {
  const auto faulty = [&] { return std::make_unique<Fault>(make_warp_scheduler(policy)); };
  return against(policy, faulty);
}

TEST(FaultInWarpScheduler, NoneIsFoundWhereNoneIs) {
  EXPECT_FALSE(against<FaultyScheduler>("lrr").difference);
  EXPECT_FALSE(against<FaultyScheduler>("gto").difference);
  EXPECT_FALSE(against<FaultyScheduler>("qaws").difference);
}

TEST(FaultInWarpScheduler, ABudgetThatIsOneOffIsFound) {
  EXPECT_TRUE(against<BudgetOneLate>("qaws").difference);
  EXPECT_TRUE(against<BudgetOneEarly>("qaws").difference);
}

TEST(FaultInWarpScheduler, AnIssueThatIsNotHeardIsFound) {
  EXPECT_TRUE(against<IssueUnheard>("lrr").difference);
  EXPECT_TRUE(against<IssueUnheard>("gto").difference);
  EXPECT_TRUE(against<IssueUnheard>("qaws").difference);
}

TEST(FaultInWarpScheduler, AMisagedWarpIsFound) {
  EXPECT_TRUE(against<WarpMisaged>("gto").difference);
  EXPECT_TRUE(against<WarpMisaged>("qaws").difference);
}

TEST(FaultInWarpScheduler, AGrantOfAStalledWarpIsFound) {
  EXPECT_TRUE(against<StalledGranted>("lrr").difference);
  EXPECT_TRUE(against<StalledGranted>("gto").difference);
  EXPECT_TRUE(against<StalledGranted>("qaws").difference);
}

TEST(FaultInWarpScheduler, AStallThatIsCountedIsFound) { EXPECT_TRUE(against<StallsCounted>("qaws").difference); }

TEST(FaultInWarpScheduler, OtherPoliciesAreFound) {
  for (const auto& [design, policy] : {std::pair{"qaws", "gto"}, {"gto", "lrr"}, {"lrr", "gto"}, {"gto", "qaws"}}) {
    const auto other = [policy = policy] { return make_warp_scheduler(policy); };
    EXPECT_TRUE(against(design, other).difference) << design << ' ' << policy;
  }
}

}  // namespace
}  // namespace gputlm
