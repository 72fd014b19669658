#include "testbench/cost/timing.h"

#include <gmock/gmock.h>

#include "tests/support/test_folder.h"
#include "tlm/base/error.h"

namespace gputlm::cost {
namespace {

const std::string kUnits = R"(library (constant) {
  delay_model : table_lookup; time_unit : "1ns"; capacitive_load_unit (1, pf); voltage_unit : "1V"; current_unit : "1mA";
  slew_lower_threshold_pct_rise : 20; slew_upper_threshold_pct_rise : 80; input_threshold_pct_rise : 50;
  slew_lower_threshold_pct_fall : 20; slew_upper_threshold_pct_fall : 80; input_threshold_pct_fall : 50;
  output_threshold_pct_rise : 50; output_threshold_pct_fall : 50;
)";

/// A gate with a constant delay, ns.
std::string gate(const std::string& name, const std::string& function, const std::string& inputs, double delay) {
  std::string text = "cell (" + name + ") { area : 1; pin (Y) { direction : output; function : \"" + function + "\"; ";
  for (const char input : inputs) {
    const std::string value = "(scalar) { values (\"" + std::to_string(delay) + "\"); } ";
    text += std::string("timing () { related_pin : \"") + input + "\"; timing_sense : negative_unate; cell_rise " +
            value + "cell_fall " + value + "rise_transition (scalar) { values (\"0\"); } " +
            "fall_transition (scalar) { values (\"0\"); } } ";
  }
  text += "} ";
  for (const char input : inputs)
    text += std::string("pin (") + input + ") { direction : input; capacitance : 0.001; } ";
  return text + "}\n";
}

/// Clock to output 3 ns, setup 0.5 ns.
constexpr const char* kFlipFlop = R"(cell (FF) { area : 4; ff (IQ, IQN) { clocked_on : "C"; next_state : "D"; }
  pin (C) { direction : input; clock : true; capacitance : 0.001; }
  pin (D) { direction : input; capacitance : 0.001; timing () { related_pin : "C"; timing_type : setup_rising;
    rise_constraint (scalar) { values ("0.5"); } fall_constraint (scalar) { values ("0.5"); } } }
  pin (Q) { direction : output; function : "IQ"; timing () { related_pin : "C"; timing_type : rising_edge;
    cell_rise (scalar) { values ("3"); } cell_fall (scalar) { values ("3"); }
    rise_transition (scalar) { values ("0"); } fall_transition (scalar) { values ("0"); } } } }
)";

class Timing : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v sta >/dev/null") != 0) GTEST_SKIP() << "OpenSTA is not installed";
    sta_ = tools::find_tool("sta", "opensta", "-version", std::atomic<bool>(false));
    folder_.write("library.lib",
                  kUnits + gate("INV", "!A", "A", 1) + gate("NAND", "!(A B)", "AB", 2) + kFlipFlop + "}\n");
    library_ = load_library(folder_.path("library.lib"));
    std::filesystem::create_directory(folder_.path("run"));
  }
  PathDelays analyse(const std::string& verilog) const {
    folder_.write("run/n.v", verilog);
    return analyse_timing(sta_, {"top", "", "clk", {}}, {"n", "n.v", {}}, library_, folder_.path("run"), stop_);
  }

  TestFolder folder_;
  tools::Tool sta_;
  Library library_;
  std::atomic<bool> stop_{false};
};

TEST_F(Timing, EachKindOfPathIsTheSumOfItsCells) {
  const PathDelays delays = analyse(R"(module top(clk, i, o);
  input clk, i; output o; wire a, q, b, c, r;
  INV u1 (.A(i), .Y(a));
  FF f1 (.C(clk), .D(a), .Q(q));
  INV u2 (.A(q), .Y(b));
  INV u3 (.A(b), .Y(c));
  FF f2 (.C(clk), .D(c), .Q(r));
  NAND u4 (.A(r), .B(i), .Y(o));
endmodule
)");
  EXPECT_NEAR(delays.input_to_register.value(), 1 + 0.5, 1e-6);
  EXPECT_NEAR(delays.register_to_register.value(), 3 + 1 + 1 + 0.5, 1e-6);
  EXPECT_NEAR(delays.register_to_output.value(), 3 + 2, 1e-6);
  EXPECT_NEAR(delays.input_to_output.value(), 2, 1e-6);
  EXPECT_NEAR(delays.critical(), 5.5, 1e-6);
}

TEST_F(Timing, KindsOfPathThatAreNotThereAreEmpty) {
  const PathDelays delays = analyse(R"(module top(clk, i, o);
  input clk, i; output o;
  FF f1 (.C(clk), .D(i), .Q(o));
endmodule
)");
  EXPECT_NEAR(delays.input_to_register.value(), 0.5, 1e-6);
  EXPECT_NEAR(delays.register_to_output.value(), 3, 1e-6);
  EXPECT_FALSE(delays.register_to_register);
  EXPECT_FALSE(delays.input_to_output);
}

TEST_F(Timing, ANetlistWithACellThatTheLibraryDoesNotHaveIsAnError) {
  const char* const netlist = R"(module top(clk, i, o);
  input clk, i; output o; wire q;
  FF f1 (.C(clk), .D(i), .Q(q));
  OR u2 (.A(q), .Y(o));
endmodule
)";
  EXPECT_THAT([&] { analyse(netlist); }, testing::ThrowsMessage<InputError>(testing::HasSubstr("module OR not found")));
}

TEST_F(Timing, ABrokenNetlistIsAnError) {
  EXPECT_THAT([&] { analyse("module top(clk;\n"); }, testing::ThrowsMessage<InputError>(testing::HasSubstr("n.v")));
}

TEST_F(Timing, FanOutOfFourIsTheDelayOfOneInverterWithFourToDrive) {
  EXPECT_NEAR(fan_out_of_four(sta_, library_, folder_.path(""), stop_), 1, 1e-6);
}

TEST_F(Timing, FanOutOfFourGrowsWithTheInvertersInput) {
  // A delay of 1 ns for each pF, inverters of 0.25 pF.
  const std::string slope = "(load) { index_1 (\"0, 10\"); values (\"0, 10\"); } ",
                    step = "(scalar) { values (\"0\"); } ";
  folder_.write("library.lib",
                kUnits +
                    "lu_table_template (load) { variable_1 : total_output_net_capacitance; index_1 (\"0, 10\"); }\n" +
                    gate("NAND", "!(A B)", "AB", 2) +
                    "cell (INV) { area : 1; pin (A) { direction : input; capacitance : 0.25; } pin (Y) { direction : "
                    "output; function : \"!A\"; timing () { related_pin : \"A\"; timing_sense : negative_unate; "
                    "cell_rise " +
                    slope + "cell_fall " + slope + "rise_transition " + step + "fall_transition " + step + "} } }\n" +
                    kFlipFlop + "}\n");
  const Library library = load_library(folder_.path("library.lib"));
  EXPECT_NEAR(fan_out_of_four(sta_, library, folder_.path(""), stop_), 1, 1e-6);
}

}  // namespace
}  // namespace gputlm::cost
