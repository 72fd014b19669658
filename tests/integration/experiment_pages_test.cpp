// Each paper's page has its experiments' figures as the program gives them.

#include <gtest/gtest.h>

#include <set>

#include "experiment_pages.h"
#include "experiment_report.h"

namespace gputlm {
namespace {

TEST(ExperimentPages, HaveAPlaceForTheFiguresOfEachExperiment) {
  std::set<std::string> there;
  for (const auto& [experiment, figures] : experiment_pages()) there.insert(experiment);
  const std::vector<std::string> names = experiments().names();
  EXPECT_EQ(there, std::set<std::string>(names.begin(), names.end()));
}

TEST(ExperimentPages, HaveTheFiguresThatTheProgramGives) {
  for (const std::string name : {"most-room/placement", "cuda-hierarchy/occupancy", "qaws/figure3"}) {
    const Experiment& experiment = *find_experiments(name).front();
    const ExperimentReport report = experiment.run(quick());
    EXPECT_EQ(experiment_pages().at(name),
              to_markdown(experiment, report, judge(report.figures, known_misses().of(name), true)))
        << "scripts/figures puts it there";
  }
}

}  // namespace
}  // namespace gputlm
