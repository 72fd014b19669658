// The checker of DRAM commands: it reports a rule exactly for the streams that break it, even by one cycle.

#include "tests/integration/dram_rules.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

namespace gputlm {
namespace {

/// A burst takes 2 cycles. No two parameters are alike, and none hides another.
nlohmann::json device() {
  return nlohmann::json::parse(R"({
    "channels": 1, "banks": 8, "bank_groups": 4, "burst_bytes": 32, "bus_bits": 32, "bits_per_cycle": 4, "command_buses": 1,
    "timing": {"tCL": 12, "tWL": 5, "tRCDRD": 14, "tRCDWR": 10, "tRP": 13, "tRAS": 28, "tRC": 43, "tRRDS": 6,
               "tRRDL": 8, "tFAW": 40, "tCCDS": 3, "tCCDL": 4, "tWTRS": 7, "tWTRL": 9, "tRTW": 11, "tWR": 15, "tRTP": 16,
               "tREFI": 1000, "tRFC": 60}})");
}

struct Case {
  const char* rule;      ///< that the second stream breaks
  const char* commands;  ///< that keep all rules, the last one just so
  int earlier = 1;       ///< cycles by which the last one breaks it
};

const Case kCases[] = {
    {"tRCDRD", "100,0,ACT,0,7 114,0,RD,0,7"},
    {"tRCDWR", "100,0,ACT,0,7 110,0,WR,0,7"},
    {"tRAS", "100,0,ACT,0,7 128,0,PRE,0,"},
    {"tRP", "100,0,ACT,0,7 135,0,PRE,0, 148,0,ACT,0,8"},
    {"tRC", "100,0,ACT,0,7 128,0,PRE,0, 143,0,ACT,0,8"},
    {"tRTP", "100,0,ACT,0,7 120,0,RD,0,7 136,0,PRE,0,"},
    {"tWR", "100,0,ACT,0,7 120,0,WR,0,7 142,0,PRE,0,"},
    {"tRRDS", "100,0,ACT,0,7 106,0,ACT,1,7"},
    {"tRRDL", "100,0,ACT,0,7 108,0,ACT,4,7"},
    {"tFAW", "100,0,ACT,0,7 106,0,ACT,1,7 112,0,ACT,2,7 118,0,ACT,3,7 140,0,ACT,4,7"},
    {"tCCDS, reads", "100,0,ACT,0,7 106,0,ACT,1,7 130,0,RD,0,7 133,0,RD,1,7"},
    {"tCCDL, reads", "100,0,ACT,0,7 130,0,RD,0,7 134,0,RD,0,7"},
    {"tCCDS, writes", "100,0,ACT,0,7 106,0,ACT,1,7 130,0,WR,0,7 133,0,WR,1,7"},
    {"tCCDL, writes", "100,0,ACT,0,7 130,0,WR,0,7 134,0,WR,0,7"},
    {"tWTRS", "100,0,ACT,0,7 106,0,ACT,1,7 130,0,WR,0,7 144,0,RD,1,7"},
    {"tWTRL", "100,0,ACT,0,7 130,0,WR,0,7 146,0,RD,0,7"},
    {"tRTW", "100,0,ACT,0,7 130,0,RD,0,7 150,0,WR,0,7"},
    {"tRFC", "1000,0,REF,0, 1060,0,ACT,0,7"},
    {"a refresh before it is due", "1000,0,REF,0,"},
    {"tRP before a refresh", "900,0,ACT,0,7 990,0,PRE,0, 1003,0,REF,0,"},
    {"tRC before a refresh", "960,0,ACT,0,7 988,0,PRE,0, 1003,0,REF,0,"},
    {"one command a cycle on a bus", "100,0,ACT,0,7 106,0,ACT,1,7 140,0,RD,0,7 141,0,PRE,1,"},
};

/// One command a line, the last one `earlier` cycles earlier.
CheckedCommands check(const std::string& commands, int earlier = 0, unsigned buses = 1) {
  std::istringstream words(commands);
  std::vector<std::string> lines;
  for (std::string word; words >> word;) lines.push_back(word);
  std::string& last = lines.back();
  last = std::to_string(std::stoi(last) - earlier) + last.substr(last.find(','));
  std::stringstream csv;
  csv << "cycle,channel,command,bank,row\n";
  for (const std::string& line : lines) csv << line << '\n';
  nlohmann::json dram = device();
  dram["command_buses"] = buses;
  return check_commands(csv, dram);
}

TEST(DramRules, EachIsKeptToTheCycleAndFoundBrokenOneCycleEarlier) {
  for (const Case& c : kCases) {
    EXPECT_EQ(check(c.commands).violation, "") << c.rule;
    const std::string broken = check(c.commands, c.earlier).violation;
    EXPECT_NE(broken.find(std::string("): ") + c.rule), std::string::npos) << c.rule << ": found '" << broken << "'";
  }
}

TEST(DramRules, OfTwoBusesEachCarriesACommandACycle) {
  const std::string rows = "100,0,ACT,0,7 106,0,ACT,1,7 140,0,RD,0,7 140,0,PRE,1,";
  EXPECT_EQ(check(rows, 0, 2).violation, "");
  EXPECT_NE(check(rows, 0, 1).violation, "");
  EXPECT_NE(check("100,0,ACT,0,7 106,0,ACT,1,7 140,0,PRE,0, 140,0,PRE,1,", 0, 2).violation, "");
  EXPECT_NE(check("100,0,ACT,0,7 106,0,ACT,1,7 140,0,RD,0,7 139,0,PRE,1,", 0, 2).violation, "");
}

TEST(DramRules, OfRowsAndRefreshesHold) {
  const auto broken = [](const char* commands) {
    const std::string text = check(commands).violation;
    return text.substr(text.rfind(": ") + 2);
  };
  EXPECT_EQ(broken("100,0,RD,0,7"), "column command to a closed bank");
  EXPECT_EQ(broken("100,0,ACT,0,7 130,0,RD,0,8"), "column command to another row than the open one");
  EXPECT_EQ(broken("100,0,ACT,0,7 160,0,ACT,0,8"), "activate of an open bank");
  EXPECT_EQ(broken("100,0,PRE,0,"), "precharge of a closed bank");
  EXPECT_EQ(broken("900,0,ACT,0,7 1001,0,REF,0,"), "a refresh with an open bank");
  EXPECT_EQ(broken("1001,0,ACT,0,7"), "a refresh is due");
  EXPECT_EQ(broken("1200,0,REF,0,"), "a late refresh");
  EXPECT_EQ(broken("100,0,ACT,9,7"), "no such bank");
  EXPECT_EQ(broken("100,1,ACT,0,7"), "not a command");
}

}  // namespace
}  // namespace gputlm
