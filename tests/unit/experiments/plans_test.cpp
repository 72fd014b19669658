// Plans are read when their experiments run; this test finds errors earlier.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "platform/lab/experiment.h"

namespace gputlm {
namespace {

TEST(Plans, AreReadableInBothFormsAndSayWhatTheirExperimentsShow) {
  for (const Experiment& experiment : experiments()) {
    for (const bool quick : {false, true}) {
      ExperimentOptions options;
      options.quick = quick;
      EXPECT_NO_THROW(plan(experiment.name, options).config_with({})) << experiment.name;
    }
    EXPECT_FALSE(experiment.description().empty());
  }
}

TEST(Plans, AreOfAnExperimentEach) {
  std::set<std::string> names;
  for (const Experiment& experiment : experiments()) {
    std::string name = experiment.name;
    std::replace(name.begin(), name.end(), '-', '_');
    names.insert(std::move(name));
  }
  for (const PresetSource& source : plan_sources()) EXPECT_EQ(names.count(source.name), 1u) << source.name;
}

}  // namespace
}  // namespace gputlm
