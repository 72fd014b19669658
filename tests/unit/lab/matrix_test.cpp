// What an experiment runs is data, and the quick form is what its file says is other.

#include "platform/lab/matrix.h"

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

/// What is set of every run, and what the quick form adds and replaces.
TEST(Matrix, SetsParametersOfEveryRun) {
  const char* const yaml = "set: {dram.queue: 16, sms: 4}\nquick: {set: {sms: 2, sms_per_gpc: 1}}\n";
  using Settings = std::map<std::string, std::string>;
  EXPECT_EQ(Matrix(yaml, "file.yaml", false).settings(), (Settings{{"dram.queue", "16"}, {"sms", "4"}}));
  EXPECT_EQ(Matrix(yaml, "file.yaml", true).settings(),
            (Settings{{"dram.queue", "16"}, {"sms", "2"}, {"sms_per_gpc", "1"}}));
}

using Texts = std::vector<std::string>;

TEST(Matrix, HasWhatItsFileSays) {
  const Matrix matrix(kYaml, "file.yaml", false);
  EXPECT_EQ(matrix.gpu(), "xavier");
  EXPECT_EQ(matrix.workloads(), (Matrix::Workloads{{"a", "b"}, {"c"}}));
  EXPECT_EQ(matrix.numbers("dram.queue"), (std::vector<unsigned>{16, 64}));
  EXPECT_EQ(matrix.values("sm.warp_scheduler"), (Texts{"lrr", "qaws"}));
}

TEST(Matrix, HasInTheQuickFormWhatItSaysIsOther) {
  const Matrix matrix(kYaml, "file.yaml", true);
  EXPECT_EQ(matrix.gpu(), "xavier");
  EXPECT_EQ(matrix.workloads(), (Matrix::Workloads{{"a", "b"}}));
  EXPECT_EQ(matrix.numbers("dram.queue"), (std::vector<unsigned>{16}));
  EXPECT_EQ(matrix.values("sm.warp_scheduler"), (Texts{"lrr", "qaws"}));
}

TEST(Matrix, TakesAnotherPolicyInThePlaceOfOne) {
  EXPECT_EQ(Matrix(kYaml, "file.yaml", false).values("sm.warp_scheduler", "qaws", "gto"), (Texts{"lrr", "gto"}));
}

TEST(Matrix, RefusesWhatItDoesNotVaryAndWhatIsNoNumber) {
  const Matrix matrix(kYaml, "file.yaml", false);
  EXPECT_THROW(matrix.values("dram.banks"), std::logic_error);
  EXPECT_THROW(matrix.numbers("sm.warp_scheduler"), std::logic_error);
  EXPECT_THROW(gputlm::matrix("fr-rr-fcfs/none", false), std::logic_error);
  EXPECT_THROW(Matrix("gpus: [a]\n", "file.yaml", false), InputError);
}

TEST(Matrix, OfEachExperimentIsReadableInBothFormsAndItsGpuIsOne) {
  ASSERT_FALSE(matrix_sources().empty());
  for (const PresetSource& source : matrix_sources()) {
    for (const bool quick : {false, true}) {
      const Matrix matrix(source.yaml, source.name, quick);
      if (matrix.gpu().empty()) continue;
      EXPECT_NO_THROW(load_gpu(matrix.gpu())) << source.name;
    }
  }
}

}  // namespace
}  // namespace gputlm
