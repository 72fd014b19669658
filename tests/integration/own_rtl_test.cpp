// `--rtl`: a user's own arbiters and sorters. Those of rtl/, outside the tree and under another name, give the bytes of their
// models.
#include <gmock/gmock.h>

#include <filesystem>

#include "tests/integration/own_rtl.h"
#include "tests/integration/rtl_runs.h"

namespace gputlm {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using Strings = std::vector<std::string>;

/// A folder with the sources of rtl/, of which one is also there under another name.
class OwnRtl : public testing::Test {
 protected:
  OwnRtl() { copy_rtl(folder_.path("")); }

  /// Module `name`, as `of` but for what `pattern` matches.
  std::string design(const std::string& name, const std::string& of, const std::string& pattern = "",
                     const std::string& by = "") const {
    return own_design(folder_.path(""), name, of, pattern, by);
  }
  Outcome run(const std::string& file, const std::string& name) const {
    return run_program({"run", workload_file("gups.yaml"), "--gpu", "gtx480", "--set", "sms=2", "--rtl", file, "--set",
                        "dram.scheduler=" + name + "@rtl", "--out", folder_.path("out")});
  }

  const TestFolder folder_;
};

struct Same {
  std::string design, parameter, policy;
  Strings settings = {};
};

class OwnRtlInThePlatform : public OwnRtl, public testing::WithParamInterface<Same> {};

TEST_P(OwnRtlInThePlatform, GivesTheBytesOfThePolicy) {
  const auto& [of, parameter, policy, settings] = GetParam();
  const std::string file = design("mine", of);
  Strings options{"--gpu", "gtx480", "--set", "sms=2", "--rtl", file};
  for (const std::string& setting : settings) options.insert(options.end(), {"--set", setting});
  options.push_back("--set");
  const auto with = [&](const std::string& value) {
    Strings all = options;
    all.push_back(parameter + "=" + value);
    return run_workload(workload_file("mixed.yaml"), all);
  };
  const FinishedRun own = with("mine@rtl"), model = with(policy);
  std::string result = without_policies(own.result_text);
  const std::size_t at = result.find("\"mine@rtl\"");
  ASSERT_NE(at, std::string::npos);
  result.replace(at, std::string("\"mine@rtl\"").size(), '"' + policy + '"');
  EXPECT_EQ(result, without_policies(model.result_text));
  EXPECT_EQ(own.blocks_text, model.blocks_text);
}
INSTANTIATE_TEST_SUITE_P(Designs, OwnRtlInThePlatform,
                         testing::Values(Same{"fr_rr_fcfs_arbiter", "dram.scheduler", "fr_rr_fcfs"},
                                         Same{"qaws_sorter", "sm.warp_scheduler", "qaws"}),
                         [](const auto& instance) { return instance.param.policy; });
INSTANTIATE_TEST_SUITE_P(Nightly, OwnRtlInThePlatform,
                         testing::Values(Same{"reserved_admission",
                                              "dram.admission",
                                              "reserved",
                                              {"dram.applications=2", "dram.reserved=4"}},
                                         Same{"oldest_flit_arbiter", "noc.arbiter", "oldest"},
                                         Same{"leftover_kernel_order", "work_distributor.kernel_order", "leftover"}),
                         [](const auto& instance) { return instance.param.policy; });

TEST_F(OwnRtl, IsTakenFromAListOfFilesAndBuiltOnce) {
  const std::string file = folder_.write("listed.f", "fr_fcfs_arbiter.sv\n");
  const Outcome outcome = run(file, "listed");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(
      outcome.err,
      HasSubstr("listed.f: found no such module in its files, allowed: one that is called as the file, listed"));
  design("listed", "fr_fcfs_arbiter");
  folder_.write("listed.f", "listed.sv\n");
  EXPECT_THAT(run(file, "listed").err, HasSubstr("listed: Apps=8 Banks=16 Entries=32 HasCap=0 RowW=32: Verilator"));
  const Outcome again = run(file, "listed");
  EXPECT_EQ(again.code, 0);
  EXPECT_THAT(again.err, testing::Not(HasSubstr("Verilator")));
}

TEST_F(OwnRtl, IsListed) {
  const std::string file = design("mine", "fr_rr_fcfs_arbiter");
  const Outcome outcome = run_program({"list", "policies", "mine@rtl", "--rtl", file});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("Decided by " + file));
}

TEST_F(OwnRtl, IsRefusedWithTheReason) {
  const auto refused = [&](const std::string& file, const std::string& name, const std::string& why) {
    const Outcome outcome = run(file, name);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(why));
    EXPECT_FALSE(std::filesystem::exists(folder_.path("out/result.json")));
  };
  refused(
      folder_.write("other.sv", "module other(input logic clk_i);\nendmodule\n"), "other",
      "module other has the ports of no kind of design; allowed: arbiter like rtl/fr_rr_fcfs_arbiter.sv, admission");
  refused(design("less", "fr_fcfs_arbiter", "output logic +grant_hit_o,", ""), "less", "less.sv:");
  refused(design("renamed", "fr_fcfs_arbiter", "grant_hit_o", "hit_o"), "renamed",
          "module renamed lacks output grant_hit_o, which every arbiter like rtl/fr_rr_fcfs_arbiter.sv has");
  refused(
      design("more", "fr_fcfs_arbiter", "input  logic +grant_ready_i", "input logic more_i, input logic grant_ready_i"),
      "more", "has the input more_i, which nothing drives");
  refused(design("loop", "fr_fcfs_arbiter", "assign enter  = req_valid_i",
                 "logic a, b; assign a = ~b && req_valid_i; assign b = a; assign enter = b && 1'b1 | req_valid_i"),
          "loop", "Circular combinational logic");
  refused(design("latch", "fr_fcfs_arbiter", "assign enter  = ",
                 "logic l; always_comb if (row_valid_i) l = row_open_i; assign enter = (l | 1'b1) && "),
          "latch", "Latch inferred for signal");
  refused(design("undriven", "fr_fcfs_arbiter", "assign grant_hit_o[^;]*;", ""), "undriven",
          "Warning-UNDRIVEN: " + folder_.path("undriven.sv"));
  refused(folder_.write("called.sv", "// module comment\nmodule other(input logic clk_i);\nendmodule\n"), "called",
          "called.sv: found module other, allowed: one that is called as the file, called");
  refused(folder_.path("no.sv"), "no", "no.sv: cannot be opened");
  refused(folder_.write("text.vhd", ""), "text", "allowed are MODULE.sv, MODULE.v and a list of files MODULE.f");
}

/// What is assigned at an edge and read at it has no one value: found when the design is built.
TEST_F(OwnRtl, ThatAssignsARegisterBlockingIsRefusedByRunAndCheck) {
  const auto refused = [&](const std::string& name, const std::string& statements, const std::string& why) {
    const std::string file =
        design(name, "fr_fcfs_arbiter", "assign enter  = ",
               "logic mine; always_ff @(posedge clk_i) begin " + statements + " end assign enter = (mine | 1'b1) && ");
    for (const Outcome& outcome : {run(file, name), run_program({"check", file, "--against", "fr_fcfs"})}) {
      EXPECT_EQ(outcome.code, 2) << outcome.err;
      EXPECT_THAT(outcome.err, AllOf(HasSubstr(why), HasSubstr(name + ".sv:")));
    }
  };
  refused("only_blocking", "mine = req_valid_i;", "Warning-BLKSEQ");
  refused("mixed", "if (req_valid_i) mine <= 1'b1; if (!rst_ni) mine = 1'b0;", "Warning-BLKSEQ");
}

TEST_F(OwnRtl, HasTheParametersThatItIsGiven) {
  const std::string file = GPUTLM_SOURCE_DIR "/tests/data/rtl/age_arbiter.sv";
  const auto cycles = [&](const Strings& parameters) {
    Strings options{"--gpu", "gtx480", "--set", "sms=2", "--rtl", file, "--set", "dram.scheduler=age_arbiter@rtl"};
    options.insert(options.end(), parameters.begin(), parameters.end());
    return run_workload(workload_file("mixed.yaml"), options).result.at("cycles").get<std::uint64_t>();
  };
  const std::uint64_t four = cycles({});
  EXPECT_EQ(cycles({"--parameter", "Limit=4"}), four) << "its own";
  EXPECT_NE(cycles({"--parameter", "Limit=1"}), four);
  const auto refusal = [&](const Strings& options) {
    Strings all{"run", workload_file("mixed.yaml")};
    all.insert(all.end(), options.begin(), options.end());
    const Outcome outcome = run_program(all);
    EXPECT_EQ(outcome.code, 2);
    return outcome.err;
  };
  EXPECT_THAT(refusal({"--rtl", file, "--parameter", "Depth=3"}),
              HasSubstr("--parameter: no design of --rtl has a Depth"));
  EXPECT_THAT(refusal({"--parameter", "Limit=3"}), HasSubstr("--parameter: found no --rtl beside it"));
}

TEST_F(OwnRtl, ThatAdmitsNothingIsWrong) {
  const std::string file =
      design("closed", "reserved_admission", "assign admit_valid_o = ", "assign admit_valid_o = 1'b0 & ");
  const Outcome outcome =
      run_program({"run", workload_file("mixed.yaml"), "--gpu", "gtx480", "--set", "sms=2", "--rtl", file, "--set",
                   "dram.admission=closed@rtl", "--set", "dram.applications=2", "--set", "dram.reserved=4"});
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("closed@rtl: admit_valid_o is 0, but head_valid_i has accesses that fit"));
}

TEST_F(OwnRtl, ThatGrantsNothingIsWrong) {
  const std::string file =
      design("wrong", "fr_fcfs_arbiter", "assign grant_valid_o = any;", "assign grant_valid_o = 1'b0;");
  const Outcome outcome = run(file, "wrong");
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("wrong@rtl: grant_valid_o is 0, but bank "));
}

}  // namespace
}  // namespace gputlm
