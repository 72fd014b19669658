// Figure 4 of qaws in full: a minute or two each on 2 cores, so with the label `nightly`.

#include <gtest/gtest.h>

#include "experiment_report.h"
#include "platform/experiments/qaws/qaws.h"

namespace gputlm {
namespace {

TEST(QawsFigure4, HomogeneousPairsComeOutAsInThePaperButForTwo) {
  expect_missed(qaws_homogeneous({}),
                {"K2: lowest response time with QAWS", "both kernels better with QAWS than with LRR"});
}

TEST(QawsFigure4, HeterogeneousPairsDoNotGainAsInThePaper) {
  expect_missed(qaws_heterogeneous({}),
                {"K2: response time under QAWS lower by", "mean execution time, QAWS over LRR"});
}

TEST(QawsFigure4, RefutesGtoInThePlaceOfQaws) { EXPECT_FALSE(qaws_homogeneous(quick(), "gto").agrees()); }

}  // namespace
}  // namespace gputlm
