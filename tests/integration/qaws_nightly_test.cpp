// Figure 4 of qaws in full: a minute or two each on 2 cores, so with the label `nightly`.

#include <gtest/gtest.h>

#include "experiment_report.h"

namespace gputlm {
namespace {

TEST(QawsFigure4, HomogeneousPairsComeOutAsInThePaperButForWhatIsKnown) { expect_as_known("qaws/homogeneous"); }

TEST(QawsFigure4, HeterogeneousPairsComeOutAsInThePaperButForWhatIsKnown) { expect_as_known("qaws/heterogeneous"); }

TEST(QawsDeadlines, AreMetMoreOftenButForWhatIsKnown) { expect_as_known("qaws/deadlines"); }

}  // namespace
}  // namespace gputlm
