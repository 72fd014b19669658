// The figures on the pages of all papers, in their quick forms, and all measurements of GPUs in full: some twenty minutes, so
// with the label `nightly`.

#include <gtest/gtest.h>

#include "experiment_pages.h"
#include "experiment_report.h"
#include "platform/experiments/silicon/agreement.h"
#include "platform/experiments/silicon/measured.h"

namespace gputlm {
namespace {

TEST(ExperimentPages, HaveAllFiguresThatTheProgramGives) {
  Agreement agreement;
  for (const auto& [name, figures] : experiment_pages()) {
    const Experiment& experiment = *find_experiments(name).front();
    const ExperimentReport report = experiment.run(quick());
    EXPECT_EQ(figures, to_markdown(experiment, report, judge(report.figures, known_misses().of(name), true)))
        << name << ": scripts/figures puts it there";
    agreement.add(name, report.figures);
  }
  EXPECT_EQ(agreement_on_its_page(), agreement.sets().markdown()) << "scripts/figures puts it there";
}

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
