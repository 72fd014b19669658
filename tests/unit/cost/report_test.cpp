#include "testbench/cost/report.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

namespace gputlm::cost {
namespace {

using testing::HasSubstr;
using testing::Not;

Implementation implementation(double area, double delay) {
  Implementation result{"nf", 10, 5, area, {}};
  result.delays.register_to_register = delay;
  result.delays.register_to_output = delay / 2;
  return result;
}

/// Area 1000 an entry against 800, 2 ns against 1.6, NAND2 of 20.
Study study(bool against) {
  Study study;
  study.block = find_block("fr_rr_fcfs_arbiter");
  if (against) study.against = find_block("fr_fcfs_arbiter");
  study.library.name = "tiny";
  study.library.path = "tiny.lib";
  study.library.nand2 = {"ND2", 20, 0};
  study.library.inverter = {"INV", 10, 0};
  study.fan_out_of_four = 0.05;
  study.tools = {{"yosys", "/bin/yosys", "Yosys 1"}, {"sta", "/bin/sta", "OpenSTA 2"}};
  for (const unsigned entries : {16u, 32u}) {
    for (const unsigned apps : {2u, 4u}) {
      StudyRow row;
      row.cost = {study.block, {entries, apps, 16, 14, 0}, {implementation(1000.0 * entries, 2)}, {}};
      if (against)
        row.baseline = BlockCost{study.against, row.cost.geometry, {implementation(800.0 * entries, 1.6)}, {}};
      study.rows.push_back(row);
    }
  }
  return study;
}

std::vector<std::string> lines(const std::string& text) {
  std::istringstream input(text);
  std::vector<std::string> all;
  for (std::string line; std::getline(input, line);) all.push_back(line);
  return all;
}

TEST(Cost, TheBestNetlistHasTheLeastAreaTimesDelayTheFirstOfEquals) {
  BlockCost cost;
  cost.implementations = {implementation(100, 3), implementation(120, 2), implementation(240, 1),
                          implementation(100, 2.5)};
  EXPECT_EQ(&cost.best(), &cost.implementations[1]);
}

TEST(Cost, TheCriticalPathIsTheLongestOfAllKinds) {
  PathDelays delays;
  EXPECT_THROW(delays.critical(), std::runtime_error);
  delays.input_to_output = 1;
  EXPECT_EQ(delays.critical(), 1);
  delays.register_to_output = 3;
  delays.input_to_register = 2;
  EXPECT_EQ(delays.critical(), 3);
}

TEST(Cost, OverheadIsAgainstTheBaseline) {
  const Study s = study(true);
  const Overhead more = overhead(s, s.rows[0]);
  EXPECT_DOUBLE_EQ(more.nand2_equivalents, 160);
  EXPECT_NEAR(more.area_percent, 25, 1e-9);
  EXPECT_NEAR(more.delay_percent, 25, 1e-9);
}

TEST(Cost, TheRangeOfAnOverheadComparesWhatOneScriptMadeOfBoth) {
  Study s = study(true);
  StudyRow& row = s.rows[0];
  row.baseline->implementations = {implementation(100, 4), implementation(200, 1), implementation(100, 5)};
  row.cost.implementations = {implementation(110, 5), implementation(180, 2), implementation(130, 5)};
  const Overhead more = overhead(s, row);
  EXPECT_NEAR(more.area_range.least, -10, 1e-9);
  EXPECT_NEAR(more.area_range.most, 30, 1e-9);
  EXPECT_NEAR(more.delay_range.least, 0, 1e-9);
  EXPECT_NEAR(more.delay_range.most, 100, 1e-9);
  EXPECT_NEAR(more.area_percent, -10, 1e-9);  // the second script's is the best of both
}

TEST(CostReport, ColumnsStandBelowTheirTitlesAndConstantParametersAbove) {
  const std::vector<std::string> text = lines(to_text(study(true)));
  EXPECT_EQ(text[2], "banks 16, row-bits 14, cap 0");
  const auto title = std::find_if(text.begin(), text.end(), [](const auto& l) { return l.find("entries") != l.npos; });
  ASSERT_NE(title, text.end());
  for (int row = 1; row <= 4; ++row) EXPECT_EQ(title[row].size(), title->size());
  EXPECT_THAT(title[4], testing::ContainsRegex("^ +32 +4 +10 +5 +25600 +1280 +1\\.60 +32 +625$"));
  // Three groups are too wide to stand beside each other: the overhead is a table of its own.
  const auto overhead =
      std::find_if(text.begin(), text.end(), [](const auto& l) { return l.find("delay %") != l.npos; });
  ASSERT_NE(overhead, text.end());
  EXPECT_THAT(overhead[1], testing::ContainsRegex("^ +16 +2 .*\\+25\\.0 +\\+25\\.0\\.\\.\\+25\\.0$"));
  for (const std::string& line : text) EXPECT_LE(line.size(), 100u) << line;
  EXPECT_EQ(title[-1].find("fr_fcfs_arbiter") != std::string::npos, true);
  EXPECT_THAT(to_text(study(true)), HasSubstr("below 6 % in area and 25 % in delay are noise"));
  EXPECT_THAT(to_text(study(false)), Not(HasSubstr("overhead")));
}

TEST(CostReport, ABlockThatDoesNotFitTheFpgaSaysSo) {
  Study s = study(false);
  for (StudyRow& row : s.rows) row.cost.fpga = FpgaCost{900, 500, 1000, 55.5};
  s.rows[3].cost.fpga = FpgaCost{9000, 500, {}, {}};
  EXPECT_THAT(to_text(s), HasSubstr("no room"));
  EXPECT_THAT(to_text(s), HasSubstr("55.5"));
  const auto json = to_json(s);
  EXPECT_TRUE(json["points"][3]["cost"]["ice40_hx8k"]["logic_cells"].is_null());
}

TEST(CostReport, CsvHasOneLineForEachBlockAndGeometryAllOfOneLength) {
  for (const bool against : {false, true}) {
    const std::vector<std::string> csv = lines(to_csv(study(against)));
    EXPECT_EQ(csv.size(), against ? 9u : 5u);
    for (const std::string& line : csv)
      EXPECT_EQ(std::count(line.begin(), line.end(), ','), std::count(csv[0].begin(), csv[0].end(), ',')) << line;
    EXPECT_THAT(
        csv[1],
        testing::StartsWith(
            against ? "fr_fcfs_arbiter,16,2,16,14,0,tiny,nf,10,5,12800.00,640.0,1.6000,625.0,1.6000,,0.8000,,32.0,"
                    : "fr_rr_fcfs_arbiter,16,2,16,14,0,tiny,nf,"));
    if (against) {
      EXPECT_THAT(csv[2], testing::EndsWith(",fr_fcfs_arbiter,160.0,25.00,25.00,25.00,25.00,25.00,25.00"));
    }
  }
}

}  // namespace
}  // namespace gputlm::cost
