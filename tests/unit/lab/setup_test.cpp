// What an experiment runs is data, and the quick form is what its file says is other.

#include "platform/lab/setup.h"

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
TEST(Setup, SetsParametersOfEveryRun) {
  const char* const yaml = "set: {dram.queue: 16, sms: 4}\nquick: {set: {sms: 2, sms_per_gpc: 1}}\n";
  using Settings = std::map<std::string, std::string>;
  EXPECT_EQ(Setup(yaml, "file.yaml", form(false)).settings(), (Settings{{"dram.queue", "16"}, {"sms", "4"}}));
  EXPECT_EQ(Setup(yaml, "file.yaml", form(true)).settings(),
            (Settings{{"dram.queue", "16"}, {"sms", "2"}, {"sms_per_gpc", "1"}}));
}

using Texts = std::vector<std::string>;

TEST(Setup, HasWhatItsFileSays) {
  const Setup setup(kYaml, "file.yaml", form(false));
  EXPECT_EQ(setup.gpu(), "xavier");
  EXPECT_EQ(setup.workloads(), (Setup::Workloads{{"a", "b"}, {"c"}}));
  EXPECT_EQ(setup.numbers("dram.queue"), (std::vector<unsigned>{16, 64}));
  EXPECT_EQ(setup.values("sm.warp_scheduler"), (Texts{"lrr", "qaws"}));
}

TEST(Setup, HasInTheQuickFormWhatItSaysIsOther) {
  const Setup setup(kYaml, "file.yaml", form(true));
  EXPECT_EQ(setup.gpu(), "xavier");
  EXPECT_EQ(setup.workloads(), (Setup::Workloads{{"a", "b"}}));
  EXPECT_EQ(setup.numbers("dram.queue"), (std::vector<unsigned>{16}));
  EXPECT_EQ(setup.values("sm.warp_scheduler"), (Texts{"lrr", "qaws"}));
}

TEST(Setup, TakesAnotherPolicyInThePlaceOfOne) {
  ExperimentOptions options;
  options.instead = {{"qaws", "gto"}};
  EXPECT_EQ(Setup(kYaml, "file.yaml", options).values("sm.warp_scheduler"), (Texts{"lrr", "gto"}));
}

TEST(Setup, RefusesWhatItDoesNotVaryAndWhatIsNoNumber) {
  const Setup setup(kYaml, "file.yaml", form(false));
  EXPECT_THROW(setup.values("dram.banks"), std::logic_error);
  EXPECT_THROW(setup.numbers("sm.warp_scheduler"), std::logic_error);
  EXPECT_THROW(gputlm::setup("fr-rr-fcfs/none"), std::logic_error);
  EXPECT_THROW(Setup("gpus: [a]\n", "file.yaml", form(false)), InputError);
}

TEST(Setup, OfEachExperimentIsReadableInBothFormsAndItsGpuIsOne) {
  ASSERT_FALSE(setup_sources().empty());
  for (const PresetSource& source : setup_sources()) {
    for (const bool quick : {false, true}) {
      const Setup setup(source.yaml, source.name, form(quick));
      if (setup.gpu().empty()) continue;
      EXPECT_NO_THROW(load_gpu(setup.gpu())) << source.name;
    }
  }
}

}  // namespace
}  // namespace gputlm
