// `gputlm check`: designs of rtl/ as a user's own agree with their policies, and faults planted in them are found.
#include <gmock/gmock.h>

#include <filesystem>
#include <iterator>
#include <regex>

#include "tests/integration/environment.h"
#include "tests/integration/own_rtl.h"

namespace gputlm {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Strings = std::vector<std::string>;

/// Libraries and designs are in the build's folder, by the case's name: the next run of the test finds them built.
class Check : public testing::Test {
 protected:
  /// A folder with the sources of rtl/, in which a fault is planted unless it is empty.
  static std::string sources(const std::string& name, const std::string& mutation = "") {
    std::string folder = std::string(GPUTLM_CHECK_FOLDER) + "/" + name;
    if (mutation.empty()) {
      copy_rtl(folder);
      return folder;
    }
    const std::string plant = std::string(GPUTLM_CMAKE) + " -DMUTATION=" + mutation +
                              " -DRTL=" GPUTLM_SOURCE_DIR "/rtl -DTO=" + folder +
                              " -P " GPUTLM_SOURCE_DIR "/testbench/mutations/apply.cmake";
    if (std::system(plant.c_str()) != 0) throw std::runtime_error(mutation + " cannot be planted");
    return folder;
  }
  /// Runs in a folder of its own, where waveforms go.
  Outcome check(const std::string& file, const std::string& against, const Strings& options = {}) const {
    Strings all{"check", file, "--against", against};
    all.insert(all.end(), options.begin(), options.end());
    return run_program(all, out_.path(""));
  }

  const TestFolder out_;
};
class CheckNightly : public Check {};

/// A module of rtl/, and the sizes that are small and have everything.
struct Module {
  std::string policy, kind;
  std::string name() const { return policy + "_" + kind; }
  /// The size in which the regression plants faults, too.
  Strings size() const {
    const std::string folder = GPUTLM_SOURCE_DIR "/testbench/kinds/" + kind, ports = read_file(folder + "/ports.h");
    const std::string sizes = read_file(folder + "/kind.cmake");
    std::istringstream values(sizes.substr(sizes.find("MUTATED ") + 8));
    const std::regex parameter("P\\([a-z_]+, (\\w+),");
    Strings options;
    std::string value;
    for (std::sregex_iterator at(ports.begin(), ports.end(), parameter), end; at != end; ++at) {
      std::getline(values, value, 'x');
      options.insert(options.end(), {"--parameter", (*at)[1].str() + "=" + value.substr(0, value.find(')'))});
    }
    return options;
  }
};

std::ostream& operator<<(std::ostream& out, const Module& module) { return out << module.name(); }

class CopyOfRtl : public Check, public testing::WithParamInterface<Module> {};

TEST_P(CopyOfRtl, AgreesWithItsPolicyAndReachesEveryPoint) {
  const Module& module = GetParam();
  const std::string file = own_design(sources(module.name()), "mine", module.name());
  const Outcome outcome = check(file, module.policy, {"--require-coverage", "--json", "result.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("mine against " + module.policy), HasSubstr("no difference")));
  const auto result = nlohmann::json::parse(read_file(out_.path("result.json")));
  EXPECT_EQ(result["kind"], module.kind);
  EXPECT_EQ(result["decisions"], 100000);
  EXPECT_TRUE(result["difference"].is_null());
  EXPECT_EQ(out_.files(""), Strings{"result.json"});
}

std::string name_of(const testing::TestParamInfo<Module>& info) { return info.param.name(); }
INSTANTIATE_TEST_SUITE_P(Quick, CopyOfRtl, testing::Values(Module{"fr_rr_fcfs", "arbiter"}, Module{"qaws", "sorter"}),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Nightly, CopyOfRtl,
                         testing::Values(Module{"fr_fcfs", "arbiter"}, Module{"lrr", "sorter"}, Module{"gto", "sorter"},
                                         Module{"reserved", "admission"}, Module{"round_robin", "flit_arbiter"},
                                         Module{"oldest", "flit_arbiter"}, Module{"weighted", "flit_arbiter"},
                                         Module{"leftover", "kernel_order"}),
                         name_of);

struct Fault {
  std::string file;  ///< of testbench/kinds
  Module module;
  std::string name() const { return module.policy + "_" + fs::path(file).stem().string(); }
};

std::ostream& operator<<(std::ostream& out, const Fault& fault) { return out << fault.name(); }

/// All, in each design that has it.
std::vector<Fault> faults() {
  std::vector<Fault> all;
  for (const auto& entry : fs::recursive_directory_iterator(GPUTLM_SOURCE_DIR "/testbench/kinds")) {
    if (entry.path().extension() != ".mutation") continue;
    std::istringstream lines(read_file(entry.path().string()));
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string key, policy;
      words >> key;
      if (key != "policies:") continue;
      const std::string kind = entry.path().parent_path().parent_path().filename().string();
      while (words >> policy) all.push_back({entry.path().string(), {policy, kind}});
    }
  }
  std::sort(all.begin(), all.end(), [](const Fault& a, const Fault& b) { return a.name() < b.name(); });
  return all;
}

std::vector<Fault> faults_named(const Strings& names) {
  std::vector<Fault> some;
  for (const Fault& fault : faults()) {
    if (std::find(names.begin(), names.end(), fault.name()) != names.end()) some.push_back(fault);
  }
  return some;
}

class PlantedFault : public Check, public testing::WithParamInterface<Fault> {};

TEST_P(PlantedFault, IsFound) {
  const auto& [mutation, module] = GetParam();
  const std::string file = own_design(sources(GetParam().name(), mutation), "mine", module.name());
  const Outcome outcome = check(file, module.policy, module.size());
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("DIFFERENCE in cycle "));
  EXPECT_GT(fs::file_size(out_.path("mine-seed1.fst")), 1000u);
}

std::string name_of_fault(const testing::TestParamInfo<Fault>& info) { return info.param.name(); }
INSTANTIATE_TEST_SUITE_P(Quick, PlantedFault,
                         testing::ValuesIn(faults_named({"fr_rr_fcfs_rotation_dropped", "qaws_turn_goes_up",
                                                         "reserved_turn_not_passed", "weighted_one_turn_for_all"})),
                         name_of_fault);
INSTANTIATE_TEST_SUITE_P(Nightly, PlantedFault, testing::ValuesIn(faults()), name_of_fault);

/// What follows `before` in the text, up to the end of the line.
std::string rest_of_line(const std::string& text, const std::string& before) {
  const std::size_t at = text.find(before);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + before.size();
  return text.substr(begin, text.find('\n', begin) - begin);
}

Strings words_of(const std::string& line) {
  std::istringstream words(line);
  return {std::istream_iterator<std::string>(words), {}};
}

TEST_F(Check, TellsADifferenceWithWhatFindsItAgain) {
  const std::string file = own_design(sources("no_grant"), "no_grant", "fr_fcfs_arbiter", "assign grant_valid_o = any;",
                                      "assign grant_valid_o = any && !req_valid_i;");
  const Outcome outcome = check(file, "fr_fcfs",
                                {"--size", "8x2x3", "--seed", "7", "--seeds", "3", "--fill", "30", "--waveforms", "w",
                                 "--json", "result.json", "--junit", "result.xml"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("1 seed from 7: "), HasSubstr(" seed 7 finds a difference\n"),
                                 HasSubstr("* grant_valid_o  expected 0x1, found 0x0"),
                                 HasSubstr(" expected, none granted\n"), HasSubstr("waveform: w/no_grant-seed7.fst")));
  EXPECT_GT(fs::file_size(out_.path("w/no_grant-seed7.fst")), 1000u);
  const std::string again = rest_of_line(outcome.out, "again: gputlm ");
  EXPECT_THAT(again, HasSubstr("--seed 7 --decisions 100000 --fill 30"));
  const Outcome repeated = run_program(words_of(again), out_.path(""));
  EXPECT_EQ(repeated.code, 1);
  const std::string where = rest_of_line(outcome.out, "DIFFERENCE in cycle ");
  EXPECT_FALSE(where.empty());
  EXPECT_EQ(rest_of_line(repeated.out, "DIFFERENCE in cycle "), where);

  const auto difference = nlohmann::json::parse(read_file(out_.path("result.json")))["difference"];
  EXPECT_EQ(difference["seed"], 7);
  EXPECT_EQ(difference["cycle"].dump(), where.substr(0, where.find(' ')));
  EXPECT_EQ(difference["again"], "gputlm " + again);
  EXPECT_THAT(
      read_file(out_.path("result.xml")),
      AllOf(HasSubstr("tests=\"1\" failures=\"1\""), HasSubstr("<testcase classname=\"no_grant\" name=\"seed 7\">"),
            HasSubstr("<failure message=\"difference in cycle " + difference["cycle"].dump() + "\">")));
}

TEST_F(CheckNightly, HasTheSameResultHoweverManySeedsRunAtOnce) {
  const std::string file =
      own_design(sources("late", GPUTLM_SOURCE_DIR "/testbench/kinds/arbiter/faults/cap_one_late.mutation"), "late",
                 "fr_rr_fcfs_arbiter");
  const auto with = [&](const char* jobs) {
    return check(file, "fr_rr_fcfs",
                 {"--size", "8x2x3", "--seeds", "8", "--decisions", "100", "--jobs", jobs, "--json",
                  std::string(jobs) + ".json"});
  };
  const Outcome alone = with("1"), together = with("3");
  EXPECT_EQ(alone.code, 1);
  EXPECT_THAT(alone.out, HasSubstr("3 seeds from 1: "));  // so that two of those before it agree
  EXPECT_EQ(together.out, alone.out);
  EXPECT_EQ(read_file(out_.path("3.json")), read_file(out_.path("1.json")));
}

TEST_F(Check, ADesignThatEndsByItselfIsWrong) {
  const std::string folder = sources("ends");
  const auto with = [&](const std::string& name, const std::string& code) {
    const std::string file = own_design(folder, name, "fr_fcfs_arbiter", "assign enter  = ", code + " assign enter = ");
    const Outcome outcome = check(file, "fr_fcfs", {"--size", "8x2x3"});
    EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
    return outcome.out + outcome.err;
  };
  EXPECT_THAT(with("finishes", "always_ff @(posedge clk_i) if (req_valid_i) $finish;"), HasSubstr("Verilog $finish"));
  EXPECT_THAT(with("gives_up", "always_ff @(posedge clk_i) if (req_valid_i) $fatal(1, \"it is too much\");"),
              HasSubstr("it is too much"));
  EXPECT_THAT(with("circles",
                   "/* verilator lint_off UNOPTFLAT */ logic a, b; assign a = ~b && req_valid_i; "
                   "assign b = a; logic unused; assign unused = b; "),
              AllOf(HasSubstr("circles.sv:"), HasSubstr("did not converge")));
}

TEST_F(Check, SaysWhatIsWrongWithADesign) {
  const std::string folder = sources("refused");
  const TestFolder cache;
  const Environment own("XDG_CACHE_HOME", cache.path(""));
  const auto refused = [&](const std::string& file, const std::string& why, const std::string& against = "fr_fcfs",
                           const Strings& options = {}) {
    Strings all{"--json", "result.json"};
    all.insert(all.end(), options.begin(), options.end());
    const Outcome outcome = check(file, against, all);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(why));
    EXPECT_EQ(out_.files(""), Strings());
    for (const std::string& kept : cache.files("gputlm/rtl"))
      EXPECT_TRUE(kept == "lock" || kept.rfind("sources-", 0) == 0) << kept;  // nothing of the design
  };
  const auto variant = [&](const std::string& name, const std::string& pattern, const std::string& by) {
    return own_design(folder, name, "fr_fcfs_arbiter", pattern, by);
  };
  refused(variant("typo", "assign enter  =", "asign enter ="), "typo.sv:66:");
  refused(variant("less", "grant_hit_o", "hit_o"), "module less lacks output grant_hit_o");
  refused(variant("loop", "assign enter  = req_valid_i",
                  "logic a, b; assign a = ~b && req_valid_i; assign b = a; assign enter = b && 1'b1 | req_valid_i"),
          "Circular combinational logic");
  refused(variant("latch", "assign enter  = ",
                  "logic l; always_comb if (row_valid_i) l = row_open_i; assign enter = (l | 1'b1) && "),
          "Latch inferred for signal");
  refused(variant("wide", "input  logic +grant_ready_i", "input logic more_i, input logic grant_ready_i"),
          "input more_i, which nothing drives");
  refused(variant("narrow", "CapW    = 8", "CapW    = 4"),
          "port hit_cap_i of module narrow has 4 bits, allowed in the size");
  const std::string right = variant("right", "", "");
  refused(right,
          "kind of RTL: found 'queue', allowed are arbiter, admission, sorter, flit_arbiter, "
          "kernel_order",
          "fr_fcfs", {"--like", "queue"});
  refused(right, "module right lacks input event_valid_i", "qaws", {"--like", "sorter"});
  refused(right, "dram.scheduler: found 'qaws', allowed are fcfs, fr_fcfs", "qaws");
  refused(right, "--size: found '8x2', allowed for arbiter: EntriesxBanksxApps", "fr_fcfs", {"--size", "8x2"});
  refused(right, "Banks: found 3, allowed: 1 to 64, a power of two", "fr_fcfs", {"--size", "8x3x1"});
  refused(right, "module right has no Depth; allowed: Entries, Banks", "fr_fcfs", {"--parameter", "Depth=1"});
  refused(right, "--applications: found 5, allowed for right is 1 to 4", "fr_fcfs", {"--applications", "5"});
  refused(right, "--seeds: found '0', allowed: a whole number from 1 on", "fr_fcfs", {"--seeds", "0"});
  refused(right, "--warps: no knob of right", "fr_fcfs", {"--warps", "4"});
  refused(own_design(folder, "few", "qaws_sorter"), "fewer budgets (3) than groups", "qaws", {"--size", "16x8x2"});
}

TEST_F(Check, TakesTheSizeOfThePortsWhereTheModuleHasNoParameters) {
  const std::string folder = sources("fixed");
  const std::string file = own_design(folder, "fixed", "fr_fcfs_arbiter", "parameter ", "localparam");
  const Outcome outcome = check(file, "fr_fcfs", {"--decisions", "1000"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;  // the module has no cap
  EXPECT_THAT(outcome.out, HasSubstr("fixed against fr_fcfs, Apps=4 Banks=16 Entries=32 HasCap=1 RowW=14\n"));
  EXPECT_EQ(check(file, "fr_fcfs", {"--decisions", "1000", "--parameter", "HasCap=0"}).code, 0);
  const Outcome other = check(file, "fr_fcfs", {"--size", "16x16x4"});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("port grant_id_o of module fixed has 5 bits, allowed in the size Apps=4 Banks=16 "
                                   "Entries=16 HasCap=1 RowW=14: 4"));
}

TEST_F(Check, TakesPackedArraysAndStructsAsPortsAndTellsAGrantInTheWordsOfItsKind) {
  const std::string file = GPUTLM_SOURCE_DIR "/tests/data/rtl/packed_ports.sv";
  const Strings options{"--size", "6x4x6", "--decisions", "2000"};
  const Outcome outcome = check(file, "round_robin", options);
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  const Outcome other = check(file, "oldest", options);
  EXPECT_EQ(other.code, 1) << other.out << other.err;
  EXPECT_THAT(other.out, testing::ContainsRegex("\n  input [0-5] expected, input [0-5] granted\n"));
}

TEST_F(Check, HoldsKnobsAndCountsWhatTheyLeaveOut) {
  const std::string file = own_design(sources("knobs"), "knobs", "fr_fcfs_arbiter");
  const Strings options{"--size", "8x2x3", "--applications", "1", "--points"};
  const Outcome outcome = check(file, "fr_fcfs", options);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr(" 0 a grant of application 2\n"), HasSubstr("NOT REACHED: a grant of application 2\n"),
                    Not(HasSubstr(" 0 a grant of application 0\n"))));
  Strings strict = options;
  strict.push_back("--require-coverage");
  EXPECT_EQ(check(file, "fr_fcfs", strict).code, 1);
}

TEST_F(Check, AddsUpTheCoverageOfItsSeeds) {
  const std::string file = own_design(sources("knobs"), "knobs", "fr_fcfs_arbiter");
  const auto points = [&](const char* seed, const char* seeds) {
    const Outcome outcome =
        check(file, "fr_fcfs",
              {"--size", "8x2x3", "--decisions", "500", "--seed", seed, "--seeds", seeds, "--json", "result.json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return nlohmann::json::parse(read_file(out_.path("result.json")))["points"];
  };
  const auto first = points("1", "1"), second = points("2", "1"), both = points("1", "2");
  ASSERT_GT(both.size(), 50u);
  for (std::size_t i = 0; i < both.size(); ++i) {
    EXPECT_EQ(both[i]["hits"], first[i]["hits"].get<unsigned>() + second[i]["hits"].get<unsigned>()) << both[i]["name"];
  }
}

TEST_F(Check, WritesTheCoverageOfLines) {
  const std::string file = own_design(sources("lines"), "lines", "fr_fcfs_arbiter");
  const Outcome outcome =
      check(file, "fr_fcfs", {"--size", "8x2x3", "--seeds", "2", "--decisions", "1000", "--lcov", "lines.info"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(read_file(out_.path("lines.info")), AllOf(HasSubstr("SF:" + file + "\n"), HasSubstr("\nDA:")));

  // So few decisions do not reach every line, and nothing excuses that.
  const std::string waivers = out_.write("waivers", "# none\n");
  const Outcome judged = check(
      file, "fr_fcfs",
      {"--size", "8x2x3", "--decisions", "5", "--waivers", waivers, "--json", "result.json", "--junit", "result.xml"});
  EXPECT_EQ(judged.code, 1) << judged.err;
  EXPECT_THAT(judged.out, AllOf(HasSubstr("no difference"), HasSubstr("\ntoggle coverage: ")));
  const auto coverage = nlohmann::json::parse(read_file(out_.path("result.json")))["code_coverage"];
  EXPECT_GT(coverage["kinds"]["line"]["reached"], 0);
  EXPECT_GT(coverage["missing"].size(), 0u);
  EXPECT_THAT(read_file(out_.path("result.xml")),
              AllOf(HasSubstr("tests=\"2\" failures=\"1\""), HasSubstr("name=\"code coverage\"")));
}

TEST_F(Check, EndsWhenTheTimeIsOver) {
  const std::string file = own_design(sources("knobs"), "knobs", "fr_fcfs_arbiter");
  const Outcome outcome =
      check(file, "fr_fcfs", {"--size", "8x2x3", "--time", "1", "--decisions", "1000000000000", "--jobs", "1"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("1 seed from 1: "));
}

TEST_F(Check, ComparesWithAPolicyOfAPlugin) {
  const std::string file = own_design(sources("plugin"), "mine", "lrr_sorter");
  const Outcome outcome = check(file, "striding", {"--plugin", GPUTLM_PLUGINS "/policy.so", "--size", "8x2x3"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("* grant_slot_o "), HasSubstr(" --plugin ")));
}

TEST_F(Check, ASkeletonOfEachKindIsAReferenceToBeginWith) {
  const Strings plugin{"--plugin", GPUTLM_PLUGINS "/skeletons.so"};
  std::size_t kinds = 0;
  for (const auto& folder : fs::directory_iterator(GPUTLM_SOURCE_DIR "/testbench/kinds")) {
    const std::string kind = folder.path().filename();
    const Outcome skeleton = run_program({"explain", "--skeleton", kind});
    EXPECT_EQ(skeleton.out, read_file((folder.path() / "skeleton.cpp.in").string()));
    EXPECT_EQ(run_program({"list", "policies", "my_" + kind, plugin[0], plugin[1]}).code, 0) << kind;
    ++kinds;
  }
  EXPECT_GT(kinds, 0u);
  // A budget is a budget; an arbiter takes row hits first, as FR-FCFS does.
  const std::string regulator = own_design(sources("skeleton"), "own_hard", "hard_regulator");
  EXPECT_EQ(check(regulator, "my_regulator", plugin).code, 0);
  const std::string arbiter = own_design(sources("skeleton"), "own_fr", "fr_fcfs_arbiter");
  EXPECT_EQ(check(arbiter, "my_arbiter", {plugin[0], plugin[1], "--size", "8x2x3", "--parameter", "HasCap=0"}).code, 0);
}

TEST_F(Check, ExplainsThePortsOfAKindWithAWaveform) {
  const Outcome outcome = run_program({"explain", "--ports", "flit_arbiter"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("flit_arbiter: a design that decides noc.arbiter\n"),
                                 HasSubstr("/weighted_flit_arbiter.sv\n"), HasSubstr("valid-ready handshake"),
                                 testing::ContainsRegex("LengthW +4 +--parameter +bits of the number of flits"),
                                 testing::ContainsRegex("head_app_i +input +Inputs\\*AppW +below Apps"),
                                 testing::ContainsRegex("\n  head_valid_i +[0-9a-f]"),
                                 testing::ContainsRegex("\n  grant_valid_o +[_#]*#+_*")));
  EXPECT_EQ(run_program({"explain"}).code, 2);
  EXPECT_EQ(run_program({"explain", "gto", "--ports", "sorter"}).code, 2);
  EXPECT_THAT(run_program({"explain", "--ports", "queue"}).err, HasSubstr("allowed are arbiter, admission, sorter"));
}

/// Runs of the platform that record what their arbiters decide.
class RecordedTraffic : public Check {
 protected:
  static Strings run(const std::string& folder, const Strings& more = {}) {
    Strings all{"run",     GPUTLM_SOURCE_DIR "/workloads/mixed.yaml",
                "--gpu",   "gtx480",
                "--set",   "dram.queue=32",
                "--probe", "arbiter=1,3000",
                "--probe", "sorter=2,1000",
                "--out",   folder};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};
class RecordedTrafficNightly : public RecordedTraffic {};

TEST_F(RecordedTraffic, IsTheSameWithAnyNumberOfThreads) {
  for (const char* threads : {"1", "3"})
    ASSERT_EQ(run_program(run(out_.path(threads), {"--threads", threads}), out_.path("")).code, 0);
  for (const char* file : {"arbiter.csv", "sorter.csv"})
    EXPECT_EQ(read_file(out_.path(std::string("1/") + file)), read_file(out_.path(std::string("3/") + file)));
}

TEST_F(RecordedTraffic, IsDecidedAsTheRunDidAndFindsAFault) {
  ASSERT_EQ(run_program(run(out_.path("run")), out_.path("")).code, 0);
  const Strings traffic{"--traffic", out_.path("run"), "--json", "result.json"};
  const std::string right = own_design(sources("traffic"), "mine", "fr_fcfs_arbiter");
  const Outcome outcome = check(right, "fr_fcfs", traffic);
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("3000 decisions"), HasSubstr("no difference"),
                                 HasSubstr("; 0 are not those of the run")));
  const auto result = nlohmann::json::parse(read_file(out_.path("result.json")));
  EXPECT_EQ(result["size"]["Entries"], 32);
  EXPECT_EQ(result["traffic"]["other_answers"], 0);
  EXPECT_GT(result["traffic"]["answers"], 3000);

  // The same traffic is decided otherwise by another policy, and a design that takes the oldest only is no fr_fcfs.
  const Outcome other = check(right, "fcfs", traffic);
  EXPECT_EQ(other.code, 1) << other.out << other.err;
  EXPECT_THAT(other.out, HasSubstr("DIFFERENCE in cycle"));
}

TEST_F(RecordedTraffic, OfASorterIsDecidedAsTheRunDid) {
  ASSERT_EQ(run_program(run(out_.path("run")), out_.path("")).code, 0);
  const std::string file = own_design(sources("traffic_lrr"), "mine", "lrr_sorter");
  const Outcome outcome = check(file, "lrr", {"--traffic", out_.path("run")});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("1000 decisions"), HasSubstr("; 0 are not those of the run")));
}

// At an SM's port, where two of three applications have a part of their budget.
TEST_F(RecordedTraffic, OfARegulatorIsDecidedAsTheRunDid) {
  const std::string input = out_.write("w.yaml", R"(kernels:
  k: {grid: 8, block: 96, patterns: {r: {kind: random, footprint: 16MiB}},
      program: [{loop: {count: 4, body: [{load: {pattern: r, dst: 4, src: 2}}, {store: {pattern: r, src: 4}}]}}]}
applications:
  - {name: a, memory_budget: {bytes: 1000, period_us: 1}, streams: [{name: s, launches: [k, k]}]}
  - {name: b, memory_budget: {bytes: 2000, period_us: 1}, sms: 0-1, streams: [{name: s, launches: [k]}]}
  - {name: c, memory_budget: {bytes: 4000, period_us: 1}, streams: [{name: s, launches: [k, k]}]}
)");
  const auto run = [&](const std::string& folder, const std::string& place, const Strings& more = {}) {
    Strings all{"run",     input,
                "--gpu",   "a100",
                "--set",   "sms=4",
                "--set",   "sms_per_gpc=2",
                "--set",   "dram.channels=4",
                "--probe", "regulator=" + place,
                "--out",   out_.path(folder)};
    all.insert(all.end(), more.begin(), more.end());
    return run_program(all, out_.path(""));
  };
  for (const char* threads : {"1", "3"}) ASSERT_EQ(run(threads, "2,300", {"--threads", threads}).code, 0);
  EXPECT_EQ(read_file(out_.path("1/regulator.csv")), read_file(out_.path("3/regulator.csv")));
  EXPECT_THAT(run("many", "4").err, HasSubstr("--probe regulator: found PLACE 4, allowed: 0 to 3"));

  const std::string file = own_design(sources("traffic_hard"), "mine", "hard_regulator");
  const Strings traffic{"--traffic", out_.path("1"), "--json", "result.json"};
  const Outcome outcome = check(file, "hard", traffic);
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("300 decisions"), HasSubstr("; 0 are not those of the run")));
  const auto result = nlohmann::json::parse(read_file(out_.path("result.json")));
  EXPECT_EQ(result["size"]["Apps"], 3);  // the second one has none there, but its number
  EXPECT_GT(result["traffic"]["answers"], 300);
  EXPECT_EQ(check(file, "reclaim", traffic).code, 1);
}

// At an output of the crossbar and in the work distributor: streams of two priorities, on the whole GPU and on parts of it.
TEST_F(RecordedTrafficNightly, OfTheCrossbarAndTheWorkDistributorIsDecidedAsTheRunDid) {
  const std::string input = out_.write("w.yaml", R"(kernels:
  k: {grid: 40, block: 96, patterns: {r: {kind: random, footprint: 16MiB}},
      program: [{loop: {count: 2, body: [{load: {pattern: r, dst: 4, src: 2}}, {store: {pattern: r, src: 4}}]}}]}
applications:
  - {name: a, streams: [{name: s, launches: [k, k]}, {name: t, priority: -1, launches: [{kernel: k, release_us: 1}]}]}
  - {name: b, sms: 0-1, streams: [{name: s, launches: [k, k]}]}
  - {name: c, sms: 2-3, streams: [{name: s, launches: [k]}]}
)");
  for (const char* threads : {"1", "3"}) {
    ASSERT_EQ(run_program({"run",       input,
                           "--gpu",     "gtx480",
                           "--set",     "sms=4",
                           "--set",     "sms_per_gpc=2",
                           "--set",     "noc.arbiter=oldest",
                           "--set",     "work_distributor.priorities=2",
                           "--probe",   "flit_arbiter=1,2000",
                           "--probe",   "kernel_order",
                           "--threads", threads,
                           "--out",     out_.path(threads)},
                          out_.path(""))
                  .code,
              0);
  }
  for (const char* file : {"flit_arbiter.csv", "kernel_order.csv"})
    EXPECT_EQ(read_file(out_.path(std::string("1/") + file)), read_file(out_.path(std::string("3/") + file)));
  const Strings traffic{"--traffic", out_.path("1"), "--json", "result.json"};
  const auto agrees = [&](const std::string& file, const std::string& policy, const char* decisions) {
    const Outcome outcome = check(file, policy, traffic);
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr(decisions), HasSubstr("; 0 are not those of the run")));
  };
  const std::string oldest = own_design(sources("traffic_oldest"), "mine", "oldest_flit_arbiter");
  agrees(oldest, "oldest", "2000 decisions");
  EXPECT_THAT(check(oldest, "round_robin", traffic).out, HasSubstr("DIFFERENCE in cycle"));

  const std::string folder = sources("traffic_leftover");
  agrees(own_design(folder, "mine", "leftover_kernel_order"), "leftover", "240 decisions");
  const std::string by_arrival =
      own_design(folder, "by_arrival", "leftover_kernel_order", "urgent & waiting", "waiting");
  EXPECT_THAT(check(by_arrival, "leftover", traffic).out, HasSubstr("DIFFERENCE in cycle"));
}

TEST_F(RecordedTraffic, ThatIsNotThereOrDoesNotFitIsAnError) {
  const std::string file = own_design(sources("traffic"), "mine", "fr_fcfs_arbiter");
  EXPECT_THAT(check(file, "fr_fcfs", {"--traffic", out_.path("")}).err, HasSubstr("is no folder of a run"));
  ASSERT_EQ(run_program(run(out_.path("run")), out_.path("")).code, 0);
  const auto rejected = [&](const Strings& more, const std::string& what) {
    Strings all{"--traffic", out_.path("run")};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = check(file, "fr_fcfs", all);
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_THAT(outcome.err, HasSubstr(what));
  };
  rejected({"--hit-ratio", "50"}, "--traffic: found --hit-ratio beside it");
  rejected({"--size", "8x16x1"}, "the recording has a number of requests that wait of");
}

}  // namespace
}  // namespace gputlm
