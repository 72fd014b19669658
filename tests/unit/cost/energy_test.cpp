#include "testbench/cost/energy.h"

#include <gmock/gmock.h>

#include "testbench/lockstep/observed_nets.h"
#include "tests/support/test_folder.h"
#include "tlm/base/error.h"

namespace gputlm::cost {
namespace {

using testing::DoubleNear;

/// Two volts; energies and capacitances that can be added up by hand.
constexpr const char* kPowerLibrary = R"(library (byhand) {
  delay_model : table_lookup; time_unit : "1ns"; capacitive_load_unit (1, pf); voltage_unit : "1V"; current_unit : "1mA";
  leakage_power_unit : "1nW"; nom_voltage : 2.0;
  operating_conditions (typical) { process : 1; voltage : 2.0; temperature : 25; }
  default_operating_conditions : typical;
  slew_lower_threshold_pct_rise : 20; slew_upper_threshold_pct_rise : 80; input_threshold_pct_rise : 50;
  slew_lower_threshold_pct_fall : 20; slew_upper_threshold_pct_fall : 80; input_threshold_pct_fall : 50;
  output_threshold_pct_rise : 50; output_threshold_pct_fall : 50;
  cell (INV) { area : 1; cell_leakage_power : 3;
    pin (A) { direction : input; capacitance : 0.01;
      internal_power () { rise_power (scalar) { values ("0.1"); } fall_power (scalar) { values ("0.3"); } } }
    pin (Y) { direction : output; function : "!A"; max_capacitance : 1;
      timing () { related_pin : "A"; timing_sense : negative_unate; cell_rise (scalar) { values ("0.1"); }
        cell_fall (scalar) { values ("0.1"); } rise_transition (scalar) { values ("0.1"); }
        fall_transition (scalar) { values ("0.1"); } }
      internal_power () { related_pin : "A"; rise_power (scalar) { values ("0.5"); }
        fall_power (scalar) { values ("0.7"); } } } }
  cell (FF) { area : 4; cell_leakage_power : 10; ff (IQ, IQN) { clocked_on : "C"; next_state : "D"; }
    pin (C) { direction : input; clock : true; capacitance : 0.02;
      internal_power () { rise_power (scalar) { values ("0.2"); } fall_power (scalar) { values ("0.4"); } } }
    pin (D) { direction : input; capacitance : 0.01;
      internal_power () { rise_power (scalar) { values ("0.02"); } fall_power (scalar) { values ("0.04"); } }
      timing () { related_pin : "C"; timing_type : setup_rising; rise_constraint (scalar) { values ("0.1"); }
        fall_constraint (scalar) { values ("0.1"); } } }
    pin (Q) { direction : output; function : "IQ"; max_capacitance : 1;
      timing () { related_pin : "C"; timing_type : rising_edge; cell_rise (scalar) { values ("0.1"); }
        cell_fall (scalar) { values ("0.1"); } rise_transition (scalar) { values ("0.1"); }
        fall_transition (scalar) { values ("0.1"); } }
      internal_power () { related_pin : "C"; rise_power (scalar) { values ("0.6"); }
        fall_power (scalar) { values ("1.0"); } } } }
}
)";

/// A counter of two bits that counts 00, 10, 11, 01: each bit, and the inverter between them, toggles every other cycle.
constexpr const char* kCounter = R"(module counter(clk, q);
  input clk; output q; wire clk, q, d, p;
  INV u1 (.A(q), .Y(d));
  FF u2 (.C(clk), .D(d), .Q(p));
  FF u3 (.C(clk), .D(p), .Q(q));
endmodule
)";

GateNetlist counter() {
  enum : GateNetlist::Net { kClk, kQ, kD, kP };
  return {"counter",
          {{"clk", true, {kClk}}, {"q", false, {kQ}}},
          {{"u1", "INV", {{"A", {kQ, false}}, {"Y", {kD, true}}}},
           {"u2", "FF", {{"C", {kClk, false}}, {"D", {kD, false}}, {"Q", {kP, true}}}},
           {"u3", "FF", {{"C", {kClk, false}}, {"D", {kP, false}}, {"Q", {kQ, true}}}}},
          4};
}

class EnergyOfACounter : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v sta >/dev/null") != 0) GTEST_SKIP() << "OpenSTA is not installed";
    folder_.write("library.lib", kPowerLibrary);
    std::filesystem::create_directory(folder_.path("run"));
    folder_.write("run/n.v", kCounter);
  }
  /// Energy with this number of toggles of all nets per cycle.
  Energy energy(double toggles) const {
    const tools::Tool sta = tools::find_tool("sta", "opensta");
    const Library library = load_library(folder_.path("library.lib"), "INV");
    const NetActivity activity{{2, toggles, toggles, toggles}, {0.5, 0.5, 0.5, 0.5}};
    return energy_of(sta, {"counter", "", "clk", {}}, {"n", "n.v", {}}, counter(), activity, library,
                     load_power_tables(folder_.path("library.lib")), folder_.path("run"), std::atomic<bool>(false));
  }

  TestFolder folder_;
};

TEST_F(EnergyOfACounter, IsThatOfACalculationByHand) {
  const Energy found = energy(0.5);
  EXPECT_EQ(found.registers, 2u);
  EXPECT_EQ(found.annotated, 1.0);
  EXPECT_THAT(found.leakage_uw, DoubleNear(0.023, 1e-6));  // 3 + 2 * 10 nW
  // Each cycle has a rise and a fall of each clock pin, 0.2 + 0.4 pJ, and 0.02 pF * (2 V)^2.
  EXPECT_THAT(found.clock_pj, DoubleNear(2 * (0.6 + 0.08), 1e-9));
  // Half a transition of each pin: A 0.2 and Y 0.6 pJ, D 0.03 and Q 0.8 pJ.
  EXPECT_THAT(found.internal_pj, DoubleNear(0.5 * (0.2 + 0.6) + 2 * 0.5 * (0.03 + 0.8), 1e-9));
  // Half a transition, (2 V)^2 / 2 each, of D and of D and of A with the output's load of four inverters.
  EXPECT_THAT(found.switching_pj, DoubleNear(0.5 * 2 * (0.01 + 0.01 + 0.01 + 4 * 0.01), 1e-9));
}

TEST_F(EnergyOfACounter, IsTwiceTheDynamicEnergyForTwiceTheTraffic) {
  const Energy once = energy(0.25), twice = energy(0.5);
  EXPECT_THAT(twice.internal_pj, DoubleNear(2 * once.internal_pj, 1e-9));
  EXPECT_THAT(twice.switching_pj, DoubleNear(2 * once.switching_pj, 1e-9));
  EXPECT_EQ(twice.clock_pj, once.clock_pj);
  EXPECT_EQ(twice.leakage_uw, once.leakage_uw);
}

TEST_F(EnergyOfACounter, WithoutTrafficIsThatOfClockAndLeakage) {
  const Energy idle = energy(0);
  EXPECT_EQ(idle.internal_pj, 0);
  EXPECT_EQ(idle.switching_pj, 0);
  EXPECT_GT(idle.clock_pj, 0);
  EXPECT_GT(idle.leakage_uw, 0);
}

TEST_F(EnergyOfACounter, NeedsTheActivityOfItsNets) {
  const tools::Tool sta = tools::find_tool("sta", "opensta");
  const Library library = load_library(folder_.path("library.lib"), "INV");
  const auto with = [&](const NetActivity& activity) {
    return energy_of(sta, {"counter", "", "clk", {}}, {"n", "n.v", {}}, counter(), activity, library,
                     load_power_tables(folder_.path("library.lib")), folder_.path("run"), std::atomic<bool>(false));
  };
  EXPECT_THAT(
      [&] {
        with({{2, 0.5}, {0.5, 0.5}});
      },
      testing::ThrowsMessage<InputError>(testing::HasSubstr("1 of 3 nets of counter")));
}

TEST(EnergyTable, IsLinearBetweenItsPointsAndConstantBeyond) {
  const EnergyTable table{{0, 1}, {10, 30}, {1, 3, 5, 9}};
  EXPECT_EQ(table.at(0, 10), 1);
  EXPECT_EQ(table.at(1, 30), 9);
  EXPECT_EQ(table.at(0.5, 20), 4.5);
  EXPECT_EQ(table.at(-1, 100), 3);
  EXPECT_EQ((EnergyTable{{0}, {0}, {7}}.at(3, 4)), 7);
}

TEST(NetCounter, CountsTogglesAndCyclesAtOne) {
  NetCounter counter;
  const auto count = [&](std::uint32_t low, std::uint32_t high, std::uint64_t cycles) {
    const std::uint32_t words[] = {low, high};
    counter.count(words, 2, cycles);
  };
  count(1, 0, 1);
  count(2, 0, 3);
  count(2, 1, 10);
  const NetCounts counts = counter.counts();
  EXPECT_EQ(counts.cycles, 14u);
  EXPECT_EQ(counts.toggles[0], 1u);
  EXPECT_EQ(counts.high[0], 1u);
  EXPECT_EQ(counts.toggles[1], 1u);
  EXPECT_EQ(counts.high[1], 13u);
  EXPECT_EQ(counts.toggles[32], 1u);
  EXPECT_EQ(counts.high[32], 10u);
}

TEST(ClockGating, ClocksRegistersAsTheirEnablesAreOn) {
  GateNetlist netlist;
  const auto add = [&](const char* type, unsigned count, std::optional<GateNetlist::Net> enable) {
    for (unsigned i = 0; i < count; ++i) {
      netlist.cells.push_back({"", type, {}});
      if (enable) netlist.cells.back().pins["E"] = {*enable, false};
    }
  };
  add("$_DFF_P_", 2, std::nullopt);
  add("$_DFFE_PP_", 4, 0);     // on for a quarter of the time
  add("$_SDFFE_PP0N_", 4, 1);  // on at 0, a quarter of the time
  add("$_DFFE_PP_", 2, 2);     // too few for a gate
  const ClockGating gating = clock_gating(netlist, {0.25, 0.75, 0});
  EXPECT_EQ(gating.registers, 12u);
  EXPECT_EQ(gating.gated, 8u);
  EXPECT_EQ(gating.gates, 2u);
  EXPECT_EQ(gating.share, (2 + 2 + 2 * (1 + 4 * 0.25)) / 12);
}

}  // namespace
}  // namespace gputlm::cost
