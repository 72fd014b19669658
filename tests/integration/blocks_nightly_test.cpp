// The error of SMs that run blocks relative to SMs that run warps, in the quick form.

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "experiment_report.h"
#include "program.h"

namespace gputlm {
namespace {

class BlocksError : public testing::TestWithParam<const char*> {};

TEST_P(BlocksError, KeepsToItsAimsOrMissesAsKnown) {
  const ExperimentReport report = reproduce(GetParam(), quick());
  EXPECT_EQ(report.figures.size(), 9u);
  expect_as_known(GetParam(), report, quick());
  std::map<std::string, std::size_t> listed, counted;
  for (const std::vector<Cell>& row : report.tables.at(0).table.rows())
    counted[row[0].text()] = static_cast<std::size_t>(*row[1].number());
  for (const std::vector<Cell>& row : report.tables.back().table.rows()) ++listed[row[0].text()];
  EXPECT_EQ(listed, counted);
}

TEST(BlocksWithDemands, KeepToTheirAimsOrMissAsKnown) { expect_as_known("blocks/demands", quick()); }

INSTANTIATE_TEST_SUITE_P(OfBothMemories, BlocksError, testing::Values("blocks/error", "blocks/error-requests"));

}  // namespace
}  // namespace gputlm
