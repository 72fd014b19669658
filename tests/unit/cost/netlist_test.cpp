#include "testbench/cost/netlist.h"

#include <gmock/gmock.h>

#include "tests/support/test_folder.h"
#include "tlm/base/error.h"

namespace gputlm::cost {
namespace {

class Yosys : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v yosys >/dev/null") != 0) GTEST_SKIP() << "yosys is not installed";
    yosys_ = tools::find_tool("yosys", "yosys", "-V", std::atomic<bool>(false));
  }
  std::string message(const std::string& source) const {
    folder_.write("a.sv", source);
    try {
      run_yosys(yosys_, "read_verilog -sv a.sv\nhierarchy -check -top top\nproc\n", folder_.path(), stop_);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }

  TestFolder folder_;
  tools::Tool yosys_;
  std::atomic<bool> stop_{false};
};

TEST_F(Yosys, TakesASoundSource) {
  EXPECT_EQ(message("module top(input logic a, output logic b);\n  assign b = !a;\nendmodule\n"), "accepted");
}

TEST_F(Yosys, AWarningIsAnErrorBecauseTheNetlistMayBeWrong) {
  // An array of structures: yosys 0.23 only says that a name is implicitly declared, and drops the bits.
  EXPECT_THAT(message("module top(input logic [1:0] a, output logic b);\n"
                      "  typedef struct packed { logic x; logic y; } pair_t;\n  pair_t p [2];\n"
                      "  assign p[1].x = a[0];\n  assign b = p[1].x;\nendmodule\n"),
              testing::HasSubstr("ERROR: "));
}

TEST_F(Yosys, CellsAreCounted) {
  folder_.write("b.sv",
                "module top(input logic a, b, c, output logic d);\n  assign d = (a & b) | (b & c);\nendmodule\n");
  run_yosys(yosys_, "read_verilog -sv b.sv\nhierarchy -top top\nproc\nsimplemap\ntee -o b.json stat -json\n",
            folder_.path(), stop_);
  EXPECT_EQ(read_cell_counts(folder_.path("b.json")), (CellCounts{{"$_AND_", 2}, {"$_OR_", 1}}));
}

// Only these files, because another file of rtl/ would move the costs of all blocks.
TEST(CommandsOfABlock, ReadWhatItInstantiatesAlone) {
  const BlockType* block = find_block("round_robin_flit_arbiter");
  EXPECT_THAT(read_commands(*block, {8, 4, 6, 4, 12}),
              testing::HasSubstr("-I../rtl ../rtl/prefix_or.sv ../rtl/find_first.sv ../rtl/slot_number.sv"
                                 " ../rtl/next_in_turn.sv ../rtl/round_robin_flit_arbiter.sv\n"));
}

TEST(CommandsOfAUsersModule, ReadItsSourcesAndSetItsParametersAlone) {
  BlockType own{
      "own", "", "clk_i", {{{{"Entries", "", "", 8, 128, 32u}, "entries"}}, {{{"HasCap", "", "", 0, 1, 0u}, "cap"}}}};
  own.own = {"my own/own.f",
             {{"/a/first.sv", "/my own/own.sv"}, {"/my own"}, {"DEEP=2"}},
             {"Entries", "Limit"},
             {{"Limit", 3}}};
  EXPECT_THAT(read_commands(own, {16, 0}),
              testing::AllOf(testing::HasSubstr("-I../include0 -DDEEP=2 \"/a/first.sv\" \"/my own/own.sv\"\n"),
                             testing::HasSubstr("-chparam Entries 16 -chparam Limit 3"),
                             testing::Not(testing::HasSubstr("HasCap"))));
  try {
    read_commands(own, {16, 1});
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("own.f: found no parameter HasCap, which --cap sets"));
  }
}

}  // namespace
}  // namespace gputlm::cost
