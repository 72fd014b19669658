// The lockstep bench finds faults in the C++ policies of the DRAM controller.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "testbench/kinds/arbiter/bench.h"
#include "testbench/mutations/mutated_designs.h"

namespace gputlm {
namespace {

/// A policy with a fault in front of it, which changes its visible behaviour.
class FaultyScheduler : public RequestScheduler {
 public:
  explicit FaultyScheduler(std::unique_ptr<RequestScheduler> right) : right_(std::move(right)) {}
  std::size_t pick(const RequestView& candidates, Row open_row) const override {
    return right_->pick(candidates, open_row);
  }
  void activated(Row row) override { right_->activated(row); }
  void precharged() override { right_->precharged(); }
  void served(const Request& request) override { right_->served(request); }

 private:
  std::unique_ptr<RequestScheduler> right_;
};

/// Row hits are considered only if the policy, called as if the bank were closed, would grant a hit anyway.
class PrioritiesSwapped final : public FaultyScheduler {
 public:
  using FaultyScheduler::FaultyScheduler;
  std::size_t pick(const RequestView& candidates, Row) const override {
    return FaultyScheduler::pick(candidates, kNoRow);
  }
};

/// The policy never learns what was served, as after a reset.
class RotationDropped final : public FaultyScheduler {
 public:
  using FaultyScheduler::FaultyScheduler;
  void served(const Request&) override {}
};

/// The oldest request counts as the youngest.
class RequestMisaged final : public FaultyScheduler {
 public:
  using FaultyScheduler::FaultyScheduler;
  std::size_t pick(const RequestView& candidates, Row open_row) const override {
    std::vector<Request> aged(candidates.begin(), candidates.end());
    std::rotate(aged.begin(), aged.begin() + 1, aged.end());
    return (FaultyScheduler::pick({aged.data(), aged.size()}, open_row) + 1) % candidates.size();
  }
};

/// The request served last is granted again while it would still be a hit, although it has left.
class InvalidGranted final : public FaultyScheduler {
 public:
  using FaultyScheduler::FaultyScheduler;
  std::size_t pick(const RequestView& candidates, Row open_row) const override {
    std::vector<Request> stale{gone_};
    stale.insert(stale.end(), candidates.begin(), candidates.end());
    const std::size_t pick = FaultyScheduler::pick({stale.data(), stale.size()}, open_row);
    return pick == 0 ? candidates.size() - 1 : pick - 1;
  }
  void served(const Request& request) override {
    gone_ = request;
    FaultyScheduler::served(request);
  }

 private:
  Request gone_{kNoRow - 1, 0, 0, std::numeric_limits<ApplicationId>::max(), false};
};

/// The module of the policy, compared with another one.
LockstepResult against(const std::string& policy, SchedulerMaker other) {
  const BuiltInDesign& of = built_in_designs().at(policy + "_without_fault");
  return run_lockstep(arbiter_design(of.built(), of.policy, std::move(other)), decisions(kDecisions));
}

template <class Fault>
LockstepResult against(const char* policy) {
  const auto faulty = [&](const SchedulerSetup& setup) {
    RequestSchedulers schedulers = make_request_schedulers(policy, setup);
    for (auto& scheduler : schedulers) scheduler = std::make_unique<Fault>(std::move(scheduler));
    return schedulers;
  };
  return against(policy, faulty);
}

TEST(FaultInRequestScheduler, NoneIsFoundWhereNoneIs) {
  EXPECT_FALSE(against<FaultyScheduler>("fr_fcfs").difference);
  EXPECT_FALSE(against<FaultyScheduler>("fr_rr_fcfs").difference);
}

TEST(FaultInRequestScheduler, SwappedPrioritiesAreFound) {
  EXPECT_TRUE(against<PrioritiesSwapped>("fr_fcfs").difference);
  EXPECT_TRUE(against<PrioritiesSwapped>("fr_rr_fcfs").difference);
}

TEST(FaultInRequestScheduler, ADroppedRotationIsFound) {
  EXPECT_TRUE(against<RotationDropped>("fr_rr_fcfs").difference);
}

TEST(FaultInRequestScheduler, AMisagedRequestIsFound) {
  EXPECT_TRUE(against<RequestMisaged>("fr_fcfs").difference);
  EXPECT_TRUE(against<RequestMisaged>("fr_rr_fcfs").difference);
}

TEST(FaultInRequestScheduler, AGrantOfWhatIsThereNoMoreIsFound) {
  EXPECT_TRUE(against<InvalidGranted>("fr_fcfs").difference);
  EXPECT_TRUE(against<InvalidGranted>("fr_rr_fcfs").difference);
}

TEST(FaultInRequestScheduler, OtherPoliciesAreFound) {
  for (const char* policy : {"fcfs", "fr_fcfs"}) {
    const auto other = [&](const SchedulerSetup& setup) { return make_request_schedulers(policy, setup); };
    EXPECT_TRUE(against("fr_rr_fcfs", other).difference) << policy;
  }
}

}  // namespace
}  // namespace gputlm
