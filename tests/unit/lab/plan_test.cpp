// What an experiment runs is data, and the quick form is what its file says is other.

#include <gtest/gtest.h>

#include <stdexcept>

#include "platform/input/preset.h"
#include "platform/lab/experiment.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

const char* const kYaml =
    "gpu: xavier\nvary: {dram.queue: [16, 64], sm.warp_scheduler: [lrr, qaws]}\nworkloads: [[a, b], [c]]\n"
    "quick: {vary: {dram.queue: [16]}, workloads: [[a, b]]}\n";

ExperimentOptions form(bool quick) {
  ExperimentOptions options;
  options.quick = quick;
  return options;
}

/// What is set of every run, and what the quick form adds and replaces.
TEST(Plan, SetsParametersOfEveryRun) {
  const char* const yaml = "set: {dram.queue: 16, sms: 4}\nquick: {set: {sms: 2, sms_per_gpc: 1}}\n";
  using Settings = std::map<std::string, std::string>;
  EXPECT_EQ(Plan(yaml, "file.yaml", form(false)).settings(), (Settings{{"dram.queue", "16"}, {"sms", "4"}}));
  EXPECT_EQ(Plan(yaml, "file.yaml", form(true)).settings(),
            (Settings{{"dram.queue", "16"}, {"sms", "2"}, {"sms_per_gpc", "1"}}));
}

using Texts = std::vector<std::string>;

TEST(Plan, HasWhatItsFileSays) {
  const Plan plan(kYaml, "file.yaml", form(false));
  EXPECT_EQ(plan.gpu(), "xavier");
  EXPECT_EQ(plan.workloads(), (Plan::Workloads{{"a", "b"}, {"c"}}));
  EXPECT_EQ(plan.numbers("dram.queue"), (std::vector<unsigned>{16, 64}));
  EXPECT_EQ(plan.values("sm.warp_scheduler"), (Texts{"lrr", "qaws"}));
}

TEST(Plan, HasInTheQuickFormWhatItSaysIsOther) {
  const Plan plan(kYaml, "file.yaml", form(true));
  EXPECT_EQ(plan.gpu(), "xavier");
  EXPECT_EQ(plan.workloads(), (Plan::Workloads{{"a", "b"}}));
  EXPECT_EQ(plan.numbers("dram.queue"), (std::vector<unsigned>{16}));
  EXPECT_EQ(plan.values("sm.warp_scheduler"), (Texts{"lrr", "qaws"}));
}

TEST(Plan, TakesAnotherPolicyInThePlaceOfOne) {
  ExperimentOptions options;
  options.instead = {{"qaws", "gto"}};
  EXPECT_EQ(Plan(kYaml, "file.yaml", options).values("sm.warp_scheduler"), (Texts{"lrr", "gto"}));
}

TEST(Plan, RefusesWhatItDoesNotVaryAndWhatIsNoNumber) {
  const Plan plan(kYaml, "file.yaml", form(false));
  EXPECT_THROW(plan.values("dram.banks"), std::logic_error);
  EXPECT_THROW(plan.numbers("sm.warp_scheduler"), std::logic_error);
  EXPECT_THROW(gputlm::plan("fr-rr-fcfs/none"), std::logic_error);
  EXPECT_THROW(Plan("gpus: [a]\n", "file.yaml", form(false)), InputError);
}

TEST(Plan, OfEachExperimentIsReadableInBothFormsAndItsGpuIsOne) {
  ASSERT_FALSE(plan_sources().empty());
  for (const PresetSource& source : plan_sources()) {
    for (const bool quick : {false, true}) {
      const Plan plan(source.yaml, source.name, form(quick));
      if (plan.gpu().empty()) continue;
      EXPECT_NO_THROW(load_gpu(plan.gpu())) << source.name;
    }
  }
}

}  // namespace
}  // namespace gputlm
