// gputlm cost: the tools run, their figures are printed, and wrong inputs are refused before anything is written.

#include <cstdlib>
#include <functional>
#include <regex>
#include <thread>

#include "tests/integration/environment.h"
#include "tests/integration/program.h"

namespace gputlm {
namespace {

using Strings = std::vector<std::string>;

const Strings kSmallArbiter{"--entries", "8", "--apps", "2", "--banks", "4"};

Strings cost(const Strings& arguments, const Strings& more = {}) {
  Strings all{"cost"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

void write_program(const TestFolder& folder, const std::string& name, const std::string& commands) {
  std::filesystem::permissions(folder.write(name, "#!/bin/sh\n" + commands + "\n"), std::filesystem::perms::owner_all);
}

void expect_cost_rejected(const Outcome& outcome, const Strings& parts) {
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  for (const std::string& part : parts)
    EXPECT_NE(outcome.err.find(part), std::string::npos) << "`" << part << "` is not in: " << outcome.err;
}

class Cost : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* tool : {"yosys", "sta"}) {
      if (std::system((std::string("command -v ") + tool + " >/dev/null").c_str()) != 0)
        GTEST_SKIP() << tool << " is not installed (Debian: yosys, opensta)";
    }
    if (!std::filesystem::exists("/usr/share/qflow/tech/osu018/osu018_stdcells.lib"))
      GTEST_SKIP() << "the library is not installed (Debian: qflow-tech-osu018)";
  }
};

class CostNightly : public Cost {};

TEST_F(Cost, AComparisonEndToEnd) {
  const TestFolder folder;
  const Outcome outcome = run_program(cost({"fr_rr_fcfs_arbiter", "--against", "fr_fcfs_arbiter", "--json", "--out",
                                            folder.path("out"), "--keep", folder.path("kept")},
                                           kSmallArbiter));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(folder.files("out"), (Strings{"cost.csv", "cost.svg"}));
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["library"]["nand2"]["cell"], "NAND2X1");
  ASSERT_EQ(json["points"].size(), 1u);
  const auto& point = json["points"][0];
  for (const auto& block : {point["cost"], point["against"]}) {
    // Per entry: row, bank, application, id, valid, hit; per bank: row and whether it is open.
    EXPECT_GE(block["best"]["flip_flops"], 8 * (14 + 2 + 1 + 3 + 2) + 4 * (14 + 1));
    double least = 1e99;
    for (const auto& i : block["implementations"]) {
      double longest = 0;
      for (const auto& delay : i["delays_ns"]) longest = std::max(longest, delay.get<double>());
      EXPECT_EQ(i["critical_path_ns"], longest);
      EXPECT_NEAR(i["frequency_mhz"], 1000 / longest, 1e-6);
      EXPECT_NEAR(i["nand2_equivalents"], i["area"].get<double>() / 24, 1e-6);
      least = std::min(least, i["area"].get<double>() * longest);
    }
    EXPECT_EQ(block["implementations"].size(), 3u);
    EXPECT_DOUBLE_EQ(block["best"]["area"].get<double>() * block["best"]["critical_path_ns"].get<double>(), least);
  }
  // The application served last, one bit a bank, is what FR-RR-FCFS remembers beyond FR-FCFS.
  EXPECT_EQ(point["cost"]["best"]["flip_flops"], point["against"]["best"]["flip_flops"].get<int>() + 4);
  // So small, the difference of the gates is within the noise of their structure: only the arithmetic is checked.
  const auto best = [&](const char* which, const char* what) { return point[which]["best"][what].get<double>(); };
  EXPECT_NEAR(point["overhead"]["nand2_equivalents"],
              best("cost", "nand2_equivalents") - best("against", "nand2_equivalents"), 1e-6);
  EXPECT_NEAR(point["overhead"]["area_percent"], 100 * (best("cost", "area") / best("against", "area") - 1), 1e-6);
  EXPECT_NEAR(point["overhead"]["delay_percent"],
              100 * (best("cost", "critical_path_ns") / best("against", "critical_path_ns") - 1), 1e-6);
  const std::string csv = read_file(folder.path("out/cost.csv"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3);

  // What was kept is what was counted.
  const std::string script = point["cost"]["best"]["script"];
  const std::string netlist = read_file(folder.path("kept/fr_rr_fcfs_arbiter-8-2-4-14-0/" + script + ".v"));
  int flip_flops = 0;
  for (std::size_t at = 0; (at = netlist.find("\n  DFFPOSX1 ", at)) != std::string::npos; ++at) ++flip_flops;
  EXPECT_EQ(point["cost"]["best"]["flip_flops"], flip_flops);
}

TEST_F(CostNightly, ASorterAgainstABaselineWithoutGroups) {
  const TestFolder folder;
  const Outcome outcome = run_program(cost({"qaws_sorter", "--against", "gto_sorter", "--warps", "8", "--groups", "2,3",
                                            "--budget-bits", "2", "--json", "--keep", folder.path("kept")}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  const double unit = json["library"]["fan_out_of_four_ns"];
  EXPECT_GT(unit, 0);
  ASSERT_EQ(json["points"].size(), 2u);
  for (const auto& point : json["points"]) {
    const int groups = point["geometry"]["groups"];
    // A bit for each pair of warps, and which one is greedy.
    const int ages = 8 * 7 / 2 + 8;
    EXPECT_EQ(point["against"]["best"]["flip_flops"], ages);
    // The warps of each group; which group has the turn and which the greedy warp; a bit for each pair of groups; the
    // switches; whether there is a history.
    EXPECT_EQ(point["cost"]["best"]["flip_flops"], ages + groups * (8 + 2) + groups * (groups - 1) / 2 + 2 + 1);
    EXPECT_GT(point["overhead"]["area_percent"], 0);
    const auto& best = point["cost"]["best"];
    EXPECT_NEAR(best["critical_path_fo4"], best["critical_path_ns"].get<double>() / unit, 1e-6);
  }
  // Groups have no effect on GTO: it is made once.
  EXPECT_EQ(json["points"][0]["against"], json["points"][1]["against"]);
  EXPECT_TRUE(std::filesystem::exists(folder.path("kept/gto_sorter-8-2-8-0")));
  EXPECT_FALSE(std::filesystem::exists(folder.path("kept/gto_sorter-8-3-2-0")));
}

TEST_F(Cost, AClockIsHeldAgainstTheLongestPath) {
  const Strings arguments = cost({"gto_sorter", "--warps", "8", "--clock-mhz", "100,2000"});
  Strings as_json = arguments;
  as_json.push_back("--json");
  const auto json = nlohmann::json::parse(run_program(as_json).out);
  const auto& best = json["points"][0]["cost"]["best"];
  ASSERT_EQ(best["clocks"].size(), 2u);
  for (const auto& clock : best["clocks"]) {
    const double cycle = 1000 / clock["mhz"].get<double>();
    EXPECT_NEAR(clock["share"], best["critical_path_ns"].get<double>() / cycle, 1e-9);
    EXPECT_NEAR(clock["state_share"], best["delays_ns"]["register_to_register"].get<double>() / cycle, 1e-9);
  }
  // In 0.18 um it takes about a nanosecond.
  EXPECT_EQ(best["clocks"][0]["cycles"], 1);
  EXPECT_GT(best["clocks"][1]["cycles"], 1);
  const std::string text = run_program(arguments).out;
  EXPECT_TRUE(std::regex_search(text, std::regex("\n *[0-9]+ % +[0-9]+ %: [2-9] cycles\n"))) << text;
}

TEST_F(Cost, AnOwnModuleIsMappedAsThoseOfTheTreeAre) {
  const TestFolder folder;
  const std::string source = std::regex_replace(read_file(GPUTLM_SOURCE_DIR "/rtl/round_robin_flit_arbiter.sv"),
                                                std::regex("module round_robin_flit_arbiter"), "module mine");
  const Outcome outcome = run_program(
      {"cost", folder.write("mine.sv", source), "--against", "round_robin_flit_arbiter", "--inputs", "4", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto point = nlohmann::json::parse(outcome.out)["points"][0];
  EXPECT_EQ(point["cost"]["best"], point["against"]["best"]) << "the same text is the same netlist";
}

TEST_F(CostNightly, AnOwnModuleHasTheParametersThatItIsGiven) {
  const auto age = [](const std::string& parameter) {
    return run_program({"cost", GPUTLM_SOURCE_DIR "/tests/data/rtl/age_arbiter.sv", "--like", "fr_fcfs_arbiter",
                        "--entries", "8", "--banks", "2", "--apps", "2", "--json", "--parameter", parameter});
  };
  const auto flip_flops = [&](const std::string& parameter) {
    const Outcome outcome = age(parameter);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out).at("points").at(0).at("cost").at("best").at("flip_flops").get<unsigned>();
  };
  // A counter of 0 to Limit for each bank.
  EXPECT_EQ(flip_flops("Limit=15"), flip_flops("Limit=1") + 2 * 3);
  expect_cost_rejected(age("Lim=2"), {"--parameter: module age_arbiter has no Lim; allowed: ", "Limit"});
  expect_cost_rejected(age("Entries=8"), {"--parameter: found Entries, allowed for it: --entries"});
}

TEST_F(Cost, AnOwnModuleMayBeAListOfFiles) {
  const TestFolder folder;
  const std::string source = std::regex_replace(read_file(GPUTLM_SOURCE_DIR "/rtl/round_robin_flit_arbiter.sv"),
                                                std::regex("module round_robin_flit_arbiter"), "module mine");
  const auto best = [&](const std::string& file) {
    const Outcome outcome =
        run_program({"cost", file, "--like", "round_robin_flit_arbiter", "--inputs", "4", "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out).at("points").at(0).at("cost").at("best");
  };
  // What a reset leaves, by a macro of an included file that uses one of the list.
  const std::regex reset("InputW'\\(Inputs - 1\\)");
  folder.write("parts/reset.svh", "`define LAST InputW'(Inputs - `BEFORE - 1)\n");
  folder.write("parts/mine.sv", "`include \"reset.svh\"\n" + std::regex_replace(source, reset, "`LAST"));
  const std::string list = folder.write("mine.f", "+incdir+parts +define+BEFORE=1\n-y parts\nparts/mine.sv\n");
  const auto of_list = best(list);
  EXPECT_EQ(of_list, best(folder.write("mine.sv", std::regex_replace(source, reset, "InputW'(Inputs - 2)"))));
  EXPECT_NE(of_list, best(folder.write("mine.sv", source)));
}

TEST_F(Cost, NoFigureIsGivenOfANetlistThatIsAnotherDesign) {
  const TestFolder folder;
  const Strings like{"--like", "round_robin_flit_arbiter", "--inputs", "4", "--apps", "2"};
  const std::string typed = GPUTLM_SOURCE_DIR "/tests/data/rtl/typed_heads.sv";
  expect_cost_rejected(run_program(cost({typed}, like)),
                       {"typed_heads.sv: yosys reads module typed_heads differently from Verilator", "grant_"});
  const std::string flat = std::regex_replace(
      std::regex_replace(read_file(typed), std::regex("heads\\[(.*)\\] != '0"), "flat[($1)*(AppW+1)+:AppW+1] != '0"),
      std::regex("module typed_heads"), "module flat_heads");
  EXPECT_EQ(run_program(cost({folder.write("flat_heads.sv", flat)}, like)).code, 0);
}

TEST_F(Cost, AnOutputThatNobodyDrivesIsRefused) {
  const TestFolder folder;
  const std::string source = read_file(GPUTLM_SOURCE_DIR "/tests/data/rtl/age_arbiter.sv");
  const std::string undriven = std::regex_replace(source, std::regex("  assign grant_hit_o[^\n]*\n"), "");
  ASSERT_NE(undriven, source);
  expect_cost_rejected(
      run_program(cost({folder.write("age_arbiter.sv", undriven), "--like", "fr_fcfs_arbiter"}, kSmallArbiter)),
      {"UNDRIVEN", "grant_hit_o"});
}

/// yosys 0.23 ends with "syntax error, unexpected '['" at the port.
TEST_F(Cost, APortThatYosysCannotReadIsNamed) {
  expect_cost_rejected(
      run_program(cost({GPUTLM_SOURCE_DIR "/tests/data/rtl/packed_ports.sv"},
                       {"--like", "round_robin_flit_arbiter", "--inputs", "4", "--apps", "2"})),
      {"packed_ports.sv:14: ERROR: syntax error",
       "no packed array of several dimensions as a port (head_app_i), allowed: a vector of the same bits"});
}

TEST_F(Cost, TheDecisionsOfARunTellTheEnergy) {
  const TestFolder folder;
  ASSERT_EQ(run_program({"run", GPUTLM_SOURCE_DIR "/workloads/mixed.yaml", "--gpu", "xavier", "--probe", "sorter=2,500",
                         "--out", folder.path("run")})
                .code,
            0);
  const Outcome outcome = run_program(cost({"lrr_sorter", "--activity", folder.path("run"), "--json"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto energy = nlohmann::json::parse(outcome.out).at("energy").at("blocks").at(0);
  EXPECT_EQ(energy["block"], "lrr_sorter");
  EXPECT_EQ(energy["served"], 500);
  EXPECT_EQ(energy["others"], 0);
  EXPECT_EQ(energy["annotated_percent"], 100);
  for (const char* power : {"leakage_uw", "clock_uw", "internal_uw", "switching_uw", "pj_decision"})
    EXPECT_GT(energy[power], 0) << power;
  EXPECT_LE(energy["gated_clock_uw"], energy["clock_uw"]);
}

/// Recordings written by hand: nothing happens between packets, or kernels.
class CostOfTrafficNightly : public Cost {
 protected:
  /// Energy of the block if an event happens `times` in 4000 cycles; `write(cycle, number)` gives the lines of an event.
  nlohmann::json energy(const Strings& block, const std::string& file, const std::string& header, unsigned times,
                        const std::function<std::string(unsigned, unsigned)>& write) {
    const TestFolder run;
    run.write("result.json", R"({"configuration": {"core_mhz": 1000, "noc": {"arbiter": "round_robin",
      "oldest": {"age_bits": 12}, "weighted": {"weight_0": 1, "weight_1": 1, "weight_2": 1, "weight_3": 1,
      "weight_4": 1, "weight_5": 1, "weight_6": 1, "weight_7": 1}},
      "work_distributor": {"kernel_order": "leftover", "kernels_in_flight": 4}}})");
    std::string text = header;
    for (unsigned i = 0; i < times; ++i) text += write(i * 4000 / times, i);
    run.write(file, text + write(4000, times));
    const Outcome outcome = run_program(cost(block, {"--activity", run.path(""), "--json"}));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out).at("energy").at("blocks").at(0);
  }
  static void expect_twice(const nlohmann::json& once, const nlohmann::json& twice, unsigned times) {
    EXPECT_EQ(once["others"], 0);
    EXPECT_EQ(once["served"], times + 1);
    EXPECT_EQ(twice["served"], 2 * times + 1);
    for (const char* power : {"clock_uw", "leakage_uw"})
      EXPECT_DOUBLE_EQ(twice[power].get<double>(), once[power].get<double>()) << power;
    for (const char* power : {"internal_uw", "switching_uw"})
      EXPECT_NEAR(twice[power].get<double>() / once[power].get<double>(), 2, 0.1) << power;
  }
};

TEST_F(CostOfTrafficNightly, TwiceThePacketsTakeTwiceTheEnergyBesideTheClock) {
  const auto of = [&](unsigned times) {
    return energy({"round_robin_flit_arbiter"}, "flit_arbiter.csv",
                  "cycle,event,input,application,flits,issued_cycle,inputs\n", times, [](unsigned cycle, unsigned i) {
                    const std::string at = std::to_string(cycle), rest = std::to_string(i % 3) + ",0,1,0,4\n";
                    return at + ",arrives," + rest + at + ",leaves," + rest;
                  });
  };
  expect_twice(of(120), of(240), 120);
}

TEST_F(CostOfTrafficNightly, TwiceTheKernelsTakeTwiceTheEnergyBesideTheClock) {
  const auto of = [&](unsigned times) {
    return energy({"leftover_kernel_order"}, "kernel_order.csv", "cycle,event,kernel,priority,pending\n", times,
                  [](unsigned cycle, unsigned i) {
                    const std::string at = std::to_string(cycle), kernel = "," + std::to_string(i % 3);
                    return at + ",comes" + kernel + ",0,\n" + at + ",sends_last" + kernel + ",0" + kernel + "\n" + at +
                           ",ends" + kernel + ",0,\n";
                  });
  };
  expect_twice(of(120), of(240), 120);
}

TEST_F(Cost, WhatIsWrongWithAnOwnModuleIsSaid) {
  const TestFolder folder;
  const std::string file =
      folder.write("my_sorter.sv", "module my_sorter #(parameter Warps = 8, Groups = 2, BudgetW = 8);");
  expect_cost_rejected(run_program({"cost", file}), {"my_sorter.sv", "--like"});
  expect_cost_rejected(run_program({"cost", file, "--like", "gto_sorter", "--policy", "gto"}),
                       {"--policy: allowed only with --activity and a file of your own"});
  expect_cost_rejected(run_program({"cost", file, "--like", "gto_sorter"}),
                       {"Verilator refuses it", "my_sorter.sv:1", "syntax error"});
  expect_cost_rejected(
      run_program({"cost", folder.write("no_sorter.sv", "module no_sorter; endmodule"), "--like", "gto_sorter"}),
      {"module no_sorter lacks input event_valid_i"});
  expect_cost_rejected(run_program({"cost", folder.path("none.sv"), "--like", "gto_sorter"}),
                       {"none.sv", "cannot be opened"});
  expect_cost_rejected(run_program({"cost", folder.write("my sorter.sv", ""), "--like", "gto_sorter"}),
                       {"name of its module"});
  expect_cost_rejected(run_program({"cost", folder.write("gto_sorter.sv", ""), "--like", "gto_sorter"}),
                       {"a file of rtl/"});
  expect_cost_rejected(run_program({"cost", "gto_sorter", "--like", "lrr_sorter"}),
                       {"--like", "only with a file of your own"});
}

TEST_F(CostNightly, HowManyRunAtATimeChangesNoByteAndNothingIsLeftBehind) {
  const TestFolder folder;
  const Environment temporary("TMPDIR", folder.path(""));
  Strings results;
  for (const char* jobs : {"1", "2"}) {
    const Outcome outcome = run_program(cost({"fr_fcfs_arbiter", "--entries", "8,9", "--apps", "1", "--banks", "1",
                                              "--row-bits", "1", "--csv", "--jobs", jobs}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    results.push_back(outcome.out);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(std::count(results[0].begin(), results[0].end(), '\n'), 3);
  for (const std::string& name : folder.files("")) EXPECT_EQ(name.find("gputlm-"), std::string::npos) << name;
}

TEST_F(Cost, AnInterruptEndsTheToolsAndWritesNothing) {
  const TestFolder folder;
  const Environment temporary("TMPDIR", folder.path("tmp"));
  std::filesystem::create_directory(folder.path("tmp"));
  StartedProgram program(
      cost({"fr_rr_fcfs_arbiter", "--entries", "128", "--out", folder.path("out"), "--keep", folder.path("kept")}));
  const std::string log = folder.path("kept/fr_rr_fcfs_arbiter-128-4-16-14-0/yosys.log");
  for (int i = 0; i < 3000 && !std::filesystem::exists(log); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  program.signal(SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(folder.files("out"), Strings{});
}

TEST_F(Cost, AnInterruptEndsWhatPlaysARecording) {
  const TestFolder folder;
  ASSERT_EQ(run_program({"run", GPUTLM_SOURCE_DIR "/workloads/compute.yaml", "--gpu", "titan_v", "--probe",
                         "sorter=0,100", "--out", folder.path("run")})
                .code,
            0);
  write_program(folder, "bin/verilator", "touch " + folder.path("plays") + "; exec sleep 100");
  const Environment path("PATH", folder.path("bin") + ":" + std::getenv("PATH"));
  StartedProgram program(
      cost({"lrr_sorter", "--order", "0", "--activity", folder.path("run"), "--out", folder.path("out")}));
  for (int i = 0; i < 6000 && !std::filesystem::exists(folder.path("plays")); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  program.signal(SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(folder.files("out"), Strings{});
}

TEST_F(Cost, AToolThatFailsIsAnErrorWithItsWords) {
  const TestFolder folder;
  write_program(folder, "bin/yosys", "[ \"$1\" = -V ] && { echo Yosys 9; exit; }; echo 'ERROR: out of ideas'; exit 1");
  const Environment path("PATH", folder.path("bin") + ":" + std::getenv("PATH"));
  expect_cost_rejected(run_program(cost({"fr_fcfs_arbiter", "--out", folder.path("out")}, kSmallArbiter)),
                       {"yosys failed (exit code 1): ERROR: out of ideas"});
  EXPECT_EQ(folder.files("out"), Strings{});
}

TEST_F(CostNightly, ABlockThatIsTooLargeForTheFpgaIsAResultAndAnyOtherFailureAnError) {
  const TestFolder folder;
  const Strings arguments =
      cost({"fr_fcfs_arbiter", "--entries", "8", "--apps", "1", "--banks", "1", "--ice40", "--csv"});
  const Environment path("PATH", folder.path("bin") + ":" + std::getenv("PATH"));
  const auto nextpnr = [&](const std::string& error) {
    write_program(folder, "bin/nextpnr-ice40",
                  "[ \"$1\" = --version ] && exit; echo \"ERROR: " + error + "\"; exit 255");
  };
  nextpnr("Unable to place cell 'x', no BELs remaining to implement cell type 'ICESTORM_LC'");
  const Outcome outcome = run_program(arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string row = outcome.out.substr(outcome.out.find('\n'));
  EXPECT_TRUE(std::regex_search(row, std::regex(",[0-9]+,[0-9]+,,,,,,,,,,\n$"))) << row;  // tables and flip-flops only
  nextpnr("out of ideas");
  expect_cost_rejected(run_program(arguments), {"nextpnr-ice40 failed (exit code 255): ERROR: out of ideas"});
}

TEST_F(Cost, AToolThatIsMissingIsNamedWithItsPackage) {
  const TestFolder folder;
  write_program(folder, "bin/sta", "echo 1");
  const Environment path("PATH", folder.path("bin"));
  expect_cost_rejected(run_program(cost({"fr_fcfs_arbiter", "--out", folder.path("out")}, kSmallArbiter)),
                       {"yosys is not in PATH", "apt-get install yosys"});
  write_program(folder, "bin/yosys", "echo 1");
  expect_cost_rejected(run_program(cost({"fr_fcfs_arbiter", "--ice40"}, kSmallArbiter)),
                       {"nextpnr-ice40 is not in PATH"});
  std::filesystem::remove(folder.path("bin/sta"));
  expect_cost_rejected(run_program(cost({"fr_fcfs_arbiter"}, kSmallArbiter)),
                       {"sta is not in PATH", "apt-get install opensta"});
  EXPECT_EQ(folder.files("out"), Strings{});
}

struct BadCost {
  std::string name;
  Strings arguments, parts;
};
void PrintTo(const BadCost& c, std::ostream* out) { *out << c.name; }

class BadCostInput : public testing::TestWithParam<BadCost> {};

TEST_P(BadCostInput, IsRejected) {
  const TestFolder folder;
  expect_cost_rejected(
      run_program(cost(GetParam().arguments, {"--out", folder.path("out"), "--keep", folder.path("kept")})),
      GetParam().parts);
  EXPECT_EQ(folder.files("out"), Strings{});
  EXPECT_EQ(folder.files("kept"), Strings{});
}

INSTANTIATE_TEST_SUITE_P(
    Cost, BadCostInput,
    testing::Values(
        BadCost{
            "UnknownBlock", {"fr_rr_fcfs"}, {"there is no block 'fr_rr_fcfs'", "did you mean 'fr_rr_fcfs_arbiter'"}},
        BadCost{"UnknownOpponent", {"fr_fcfs_arbiter", "--against", "x"}, {"there is no block 'x'"}},
        BadCost{"AgainstItself", {"fr_fcfs_arbiter", "--against", "fr_fcfs_arbiter"}, {"--against"}},
        BadCost{"TooFewEntries", {"fr_fcfs_arbiter", "--entries", "7"}, {"--entries: found '7'", "from 8 to 128"}},
        BadCost{"TooManyApplications", {"fr_fcfs_arbiter", "--apps", "2,9"}, {"--apps: found '9'", "from 1 to 8"}},
        BadCost{"NoPowerOfTwo", {"fr_fcfs_arbiter", "--banks", "12"}, {"--banks: found '12'", "power of two"}},
        BadCost{"NoBanks", {"fr_fcfs_arbiter", "--banks", "0"}, {"--banks: found '0'"}},
        BadCost{"NoNumber", {"fr_fcfs_arbiter", "--entries", "many"}, {"--entries: found 'many'"}},
        BadCost{"TooManyWarps", {"qaws_sorter", "--warps", "64"}, {"--warps: found '64'", "from 8 to 48"}},
        BadCost{"OtherParameters", {"qaws_sorter", "--against", "fr_fcfs_arbiter"}, {"have different parameters"}},
        BadCost{"NoEntries", {"qaws_sorter", "--entries", "8"}, {"qaws_sorter has no --entries", "--warps, --groups"}},
        BadCost{"NoClock", {"fr_fcfs_arbiter", "--clock-mhz", "900,0"}, {"--clock-mhz: found '0'", "from 1 to 100000"}},
        BadCost{"NoSuchLibrary", {"fr_fcfs_arbiter", "--liberty", "/none.lib"}, {"/none.lib", "cannot be read"}},
        BadCost{"NoLibrary", {"fr_fcfs_arbiter", "--liberty", GPUTLM_PROGRAM}, {"not a Liberty file"}},
        BadCost{"TwoForms", {"fr_fcfs_arbiter", "--csv", "--json"}, {"allowed: one"}}),
    [](const auto& c) { return c.param.name; });

}  // namespace
}  // namespace gputlm
