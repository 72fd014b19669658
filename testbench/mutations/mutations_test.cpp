// The lockstep bench finds the faults planted in rtl/ (testbench/kinds/*/faults).

#include <gtest/gtest.h>

#include <filesystem>
#include <utility>

#include "testbench/mutations/mutated_designs.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

class FaultInRtl : public testing::TestWithParam<std::string> {};

TEST_P(FaultInRtl, IsFoundAndNothingElseIs) {
  const Design design = design_called(GetParam());
  const LockstepResult result = run_lockstep(design, decisions(kDecisions));
  if (GetParam() == design.policy + "_without_fault") {
    EXPECT_FALSE(result.difference) << result.difference->text;
    EXPECT_EQ(result.decisions, kDecisions);
    EXPECT_EQ(result.coverage.missing(), std::vector<std::string>());
  } else {
    EXPECT_TRUE(result.difference) << "not found in " << result.decisions << " decisions";
  }
}

INSTANTIATE_TEST_SUITE_P(Mutations, FaultInRtl, testing::ValuesIn(built_in_designs().names()),
                         [](const auto& instance) { return instance.param; });

TEST(Bench, TheSameSeedGivesTheSameRunAndAnotherSeedAnother) {
  const Design design = design_called("fr_rr_fcfs_rotation_dropped");
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
  for (const auto& [right, wrong] : {std::pair{"fr_fcfs_without_fault", "fr_fcfs_invalid_granted"},
                                     std::pair{"qaws_without_fault", "qaws_turn_goes_up"}}) {
    std::filesystem::remove(path);
    LockstepOptions options = decisions(1000);
    options.waveform = path;
    ASSERT_FALSE(run_lockstep(design_called(right), options).difference);
    EXPECT_FALSE(std::filesystem::exists(path));
    options.decisions = kDecisions;
    ASSERT_TRUE(run_lockstep(design_called(wrong), options).difference);
    EXPECT_GT(std::filesystem::file_size(path), 1000u);
    std::filesystem::remove(path);
  }
}

TEST(Bench, AKnobThatADesignDoesNotTakeIsAnInputError) {
  const auto with = [](const char* design, const char* knob, unsigned value) {
    LockstepOptions options = decisions(1);
    options.knobs[knob] = value;
    return run_lockstep(design_called(design), options);
  };
  EXPECT_NO_THROW(with("qaws_without_fault", "highest-budget", 7));
  EXPECT_THROW(with("qaws_without_fault", "highest-budget", 8), InputError);
  EXPECT_THROW(with("qaws_without_fault", "banks", 1), InputError);
  EXPECT_NO_THROW(with("fr_fcfs_without_fault", "banks", 1));
}

}  // namespace
}  // namespace gputlm
