// The lockstep bench finds faults: those planted in rtl/ (rtl/*.mutation), and these in the C++ policies.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "testbench/lockstep/bench.h"

namespace gputlm {
namespace {

constexpr std::uint64_t kDecisions = 100000;

std::vector<std::string> design_names() {
  std::vector<std::string> names;
  for (const Design& design : designs()) names.emplace_back(design.name);
  return names;
}

const Design& design_called(const std::string& name) {
  return *std::find_if(designs().begin(), designs().end(), [&](const Design& design) { return design.name == name; });
}

LockstepOptions decisions(std::uint64_t number) {
  LockstepOptions options;
  options.decisions = number;
  return options;
}

class FaultInRtl : public testing::TestWithParam<std::string> {};

TEST_P(FaultInRtl, IsFoundAndNothingElseIs) {
  const Design& design = design_called(GetParam());
  const LockstepResult result = run_lockstep(design, decisions(kDecisions));
  if (GetParam() == std::string(design.policy) + "_without_fault") {
    EXPECT_FALSE(result.difference) << result.difference->text;
    EXPECT_EQ(result.decisions, kDecisions);
    EXPECT_EQ(result.coverage.missing(), std::vector<std::string>());
  } else {
    EXPECT_TRUE(result.difference) << "not found in " << result.decisions << " decisions";
  }
}

INSTANTIATE_TEST_SUITE_P(Mutations, FaultInRtl, testing::ValuesIn(design_names()),
                         [](const auto& instance) { return instance.param; });

/// A policy with a fault in front of it. What it shows differs from what the policy would do.
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

/// Row hits are looked at only when the policy, asked as if the bank were closed, would grant a hit anyway.
class PrioritiesSwapped final : public FaultyScheduler {
 public:
  using FaultyScheduler::FaultyScheduler;
  std::size_t pick(const RequestView& candidates, Row) const override {
    return FaultyScheduler::pick(candidates, kNoRow);
  }
};

/// The policy never hears what was served, as after a reset.
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

/// The request served last is granted again while it would still be a hit, although it is there no more.
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

template <class Fault>
LockstepResult against(const char* policy) {
  const Design& design = design_called(std::string(policy) + "_without_fault");
  const auto faulty = [&](const SchedulerSetup& setup) {
    RequestSchedulers schedulers = make_request_schedulers(policy, setup);
    for (auto& scheduler : schedulers) scheduler = std::make_unique<Fault>(std::move(scheduler));
    return schedulers;
  };
  return run_lockstep(design, faulty, decisions(kDecisions));
}

TEST(FaultInModel, NoneIsFoundWhereNoneIs) {
  EXPECT_FALSE(against<FaultyScheduler>("fr_fcfs").difference);
  EXPECT_FALSE(against<FaultyScheduler>("fr_rr_fcfs").difference);
}

TEST(FaultInModel, SwappedPrioritiesAreFound) {
  EXPECT_TRUE(against<PrioritiesSwapped>("fr_fcfs").difference);
  EXPECT_TRUE(against<PrioritiesSwapped>("fr_rr_fcfs").difference);
}

TEST(FaultInModel, ADroppedRotationIsFound) { EXPECT_TRUE(against<RotationDropped>("fr_rr_fcfs").difference); }

TEST(FaultInModel, AMisagedRequestIsFound) {
  EXPECT_TRUE(against<RequestMisaged>("fr_fcfs").difference);
  EXPECT_TRUE(against<RequestMisaged>("fr_rr_fcfs").difference);
}

TEST(FaultInModel, AGrantOfWhatIsThereNoMoreIsFound) {
  EXPECT_TRUE(against<InvalidGranted>("fr_fcfs").difference);
  EXPECT_TRUE(against<InvalidGranted>("fr_rr_fcfs").difference);
}

TEST(FaultInModel, OtherPoliciesAreFound) {
  const Design& turns = design_called("fr_rr_fcfs_without_fault");
  for (const char* policy : {"fcfs", "fr_fcfs"}) {
    const auto other = [&](const SchedulerSetup& setup) { return make_request_schedulers(policy, setup); };
    EXPECT_TRUE(run_lockstep(turns, other, decisions(kDecisions)).difference) << policy;
  }
}

TEST(Bench, TheSameSeedGivesTheSameRunAndAnotherSeedAnother) {
  const Design& design = design_called("fr_rr_fcfs_rotation_dropped");
  LockstepOptions options = decisions(kDecisions);
  const LockstepResult first = run_lockstep(design, options);
  const LockstepResult again = run_lockstep(design, options);
  ASSERT_TRUE(first.difference && again.difference);
  EXPECT_EQ(first.difference->cycle, again.difference->cycle);
  EXPECT_EQ(first.difference->text, again.difference->text);
  options.seed = 2;
  const LockstepResult other = run_lockstep(design, options);
  ASSERT_TRUE(other.difference);
  EXPECT_NE(first.difference->text, other.difference->text);
}

TEST(Bench, ADifferenceLeavesAWaveform) {
  const std::string path = testing::TempDir() + "gputlm_lockstep_test.fst";
  std::filesystem::remove(path);
  LockstepOptions options = decisions(kDecisions);
  options.waveform = path;
  ASSERT_FALSE(run_lockstep(design_called("fr_fcfs_without_fault"), decisions(1000)).difference);
  EXPECT_FALSE(std::filesystem::exists(path));
  ASSERT_TRUE(run_lockstep(design_called("fr_fcfs_invalid_granted"), options).difference);
  EXPECT_GT(std::filesystem::file_size(path), 1000u);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace gputlm
