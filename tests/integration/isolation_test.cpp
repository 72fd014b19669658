/// The experiment on the price of isolation in its quick form, and that its figures can fail.
#include <gtest/gtest.h>

#include "kept_runs.h"

namespace gputlm {
namespace {

TEST(IsolationPrice, EachWayDoesWhatItIsForAndOneThatDoesNotIsSeen) {
  const KeptRuns kept;
  const ExperimentOptions& options = kept.options();
  const ExperimentReport report = reproduce("isolation/price", options);
  expect_as_known("isolation/price", report, options);
  for (const char* way : {"priorities", "instances"}) {  // the same runs
    const ExperimentReport refuted = reproduce("isolation/price", instead(way, "nothing", options));
    EXPECT_FALSE(figure(refuted, std::string(way) + ": p99 over nothing").agrees()) << way;
  }
}

}  // namespace
}  // namespace gputlm
