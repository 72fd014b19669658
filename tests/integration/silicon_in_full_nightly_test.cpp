// All that others measured on GPUs, in the full forms: some twenty minutes, so with the label `nightly`.

#include <gtest/gtest.h>

#include "experiment_report.h"
#include "platform/experiments/silicon/agreement.h"
#include "platform/experiments/silicon/measured.h"

namespace gputlm {
namespace {

TEST(SiliconInFull, IsFifteenPercentOffInTheGeometricMeanAndFourFifthsAreWithinTwenty) {
  Agreement agreement;
  for (const Measurements& of : measurements()) {
    const ExperimentReport report = reproduce(of.name);
    expect_as_known(of.name, report);
    agreement.add(of.name, report.figures);
  }
  EXPECT_LT(agreement.all().mean(), 1.15) << agreement.sets().text();
  EXPECT_GE(agreement.all().share(), 80);
}

}  // namespace
}  // namespace gputlm
