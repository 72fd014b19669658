// Figure 4 of qaws in full: a minute or two each on 2 cores, so with the label `nightly`.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "platform/experiments/experiments.h"

namespace gputlm {
namespace {

/// What misses the paper is named; docs/experiments.md says why. Who mends it takes it out here.
void expect_missed(const ExperimentReport& report, const std::vector<std::string>& missed) {
  for (const Figure& f : report.figures) {
    const bool misses = std::find(missed.begin(), missed.end(), f.name) != missed.end();
    EXPECT_EQ(f.agrees || f.band.empty(), !misses) << f.name << ": paper " << f.paper << ", ours " << f.ours;
  }
}

TEST(QawsFigure4, HomogeneousPairsComeOutAsInThePaperButForTwo) {
  expect_missed(qaws_homogeneous({}),
                {"K2: lowest response time with QAWS", "both kernels better with QAWS than with LRR"});
}

TEST(QawsFigure4, HeterogeneousPairsDoNotGainAsInThePaper) {
  expect_missed(qaws_heterogeneous({}),
                {"K2: response time under QAWS lower by", "mean execution time, QAWS over LRR"});
}

TEST(QawsFigure4, RefutesGtoInThePlaceOfQaws) {
  ExperimentOptions quick;
  quick.quick = true;
  EXPECT_FALSE(qaws_homogeneous(quick, "gto").agrees());
}

}  // namespace
}  // namespace gputlm
