#include "tlm/report.h"

#include <gtest/gtest.h>

namespace gputlm {
namespace {

struct Hits {
  int count;
};
struct Misses {
  int count;
};

TEST(Report, GivesStatisticsByTypeAndPartInTheOrderInWhichTheyWerePutIn) {
  Report report;
  report.add(Hits{1});
  report.add(Misses{10});
  report.add(Hits{2});
  report.add(Hits{100}, "replies");
  const auto hits = report.all<Hits>();
  ASSERT_EQ(hits.size(), 2u);
  EXPECT_EQ(hits[0].count, 1);
  EXPECT_EQ(hits[1].count, 2);
  ASSERT_EQ(report.all<Hits>("replies").size(), 1u);
  EXPECT_EQ(report.all<Hits>("replies")[0].count, 100);
  EXPECT_EQ(report.all<Misses>().size(), 1u);
  EXPECT_TRUE(report.all<double>().empty());
}

}  // namespace
}  // namespace gputlm
