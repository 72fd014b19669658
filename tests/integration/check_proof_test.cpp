// `gputlm check --proof`: a proof shows the properties of a kind for a user's design, and refutes a fault.
#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>

#include "tests/integration/environment.h"
#include "tests/integration/own_rtl.h"

namespace gputlm {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Strings = std::vector<std::string>;

class CheckProof : public testing::Test {
 protected:
  static std::string design(const std::string& name, const std::string& of, const std::string& pattern = "",
                            const std::string& by = "") {
    const std::string folder = std::string(GPUTLM_CHECK_FOLDER) + "/proof";
    copy_rtl(folder);
    return own_design(folder, name, of, pattern, by);
  }
  Outcome prove(const std::string& file, const std::string& against, const Strings& options = {}) const {
    Strings all{"check",   file,     "--against",   against,   "--decisions", "10",
                "--proof", "--json", "result.json", "--junit", "result.xml"};
    all.insert(all.end(), options.begin(), options.end());
    return run_program(all, out_.path(""));
  }
  /// Outcomes by property.
  std::map<std::string, std::string> outcomes() const {
    std::map<std::string, std::string> all;
    const auto proof = result();
    for (const auto& property : proof["properties"]) all[property["name"]] = property["outcome"];
    return all;
  }
  nlohmann::json result() const { return nlohmann::json::parse(read_file(out_.path("result.json")))["proof"]; }

  const TestFolder out_;
};

class CheckProofNightly : public CheckProof {};

TEST_F(CheckProofNightly, ProvesACopyOfASorter) {
  const Outcome outcome =
      prove(design("my_lrr", "lrr_sorter"), "lrr", {"--size", "8x2x3", "--proof-cycles", "4", "--proof-time", "2"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("contract, with the order of lrr, BudgetW=2 FullOrder=1 Groups=2 Warps=8\n"),
                                 HasSubstr("  grant_one_hot  proved\n"), Not(HasSubstr("REFUTED"))));
  EXPECT_EQ(outcomes().size(), 9u);
  EXPECT_EQ(outcomes().at("grant_first"), "proved");
  EXPECT_EQ(result()["counterexample"], nullptr);
  EXPECT_THAT(read_file(out_.path("result.xml")),
              AllOf(HasSubstr("tests=\"10\" failures=\"0\""),
                    HasSubstr("<testcase classname=\"my_lrr.contract\" name=\"order_once\">")));
}

constexpr const char* kAgeArbiter = GPUTLM_SOURCE_DIR "/tests/data/rtl/age_arbiter.sv";
constexpr const char* kLimit = GPUTLM_SOURCE_DIR "/tests/data/rtl/starvation_limit.sv";
constexpr const char* kRegisters = GPUTLM_SOURCE_DIR "/tests/data/rtl/age_arbiter_limit.sv";

/// Without a reference for the policy, the proof covers the contract alone, including a property of the user.
TEST_F(CheckProof, OfTheContractAloneHasAPropertyOfTheUser) {
  const auto contract = [&](const std::string& property) {
    return run_program({"check", kAgeArbiter, "--contract", "--property", property, "--parameter", "Limit=1",
                        "--proof-size", "8x1x1", "--proof-cycles", "5", "--proof-time", "2", "--json", "result.json"},
                       out_.path(""));
  };
  const Outcome outcome = contract(kLimit);
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("age_arbiter, the contract of its kind alone:"), Not(HasSubstr("order of")),
                                 Not(HasSubstr("decisions in"))));
  EXPECT_EQ(outcomes().at("grant_one_hot"), "proved");
  EXPECT_NE(outcomes().at("passed_at_most"), "refuted");
  // One request less may pass than do.
  const std::string strict = out_.write(
      "strict_limit.sv", std::regex_replace(std::regex_replace(read_file(kLimit), std::regex("module starvation_limit"),
                                                               "module strict_limit"),
                                            std::regex("CntW'\\(Limit\\)"), "CntW'(Limit - 1)"));
  const Outcome refuted = contract(strict);
  EXPECT_EQ(refuted.code, 1) << refuted.out << refuted.err;
  EXPECT_EQ(outcomes().at("passed_at_most"), "refuted");
}

/// Assertions about the arbiter's registers, and the limit that rests on them: together they hold for any number of cycles.
TEST_F(CheckProofNightly, OfALimitRestsOnWhatTheUserSaysOfRegisters) {
  const Outcome outcome =
      run_program({"check", kAgeArbiter, "--contract", "--property", kRegisters, "--parameter", "Limit=3",
                   "--proof-size", "8x2x1", "--proof-cycles", "3", "--proof-time", "8", "--json", "result.json"},
                  out_.path(""));
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  for (const char* property : {"passed_at_most", "count_is_the_arbiters", "who_waits_is_in_one_place",
                               "of_the_bank_that_it_came_for", "in_the_order_of_entry"})
    EXPECT_EQ(outcomes().at(property), "proved") << property;
}

TEST_F(CheckProof, TakesNoPropertyThatItCannotSee) {
  const auto refusal = [&](const Strings& options) {
    Strings all{"check", kAgeArbiter};
    all.insert(all.end(), options.begin(), options.end());
    const Outcome outcome = run_program(all, out_.path(""));
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    return outcome.err;
  };
  const std::string other = out_.write("other.sv",
                                       "module other(input logic clk_i, input logic inner_q);\n"
                                       "  always_comb assert (inner_q);\nendmodule\n");
  EXPECT_THAT(
      refusal({"--contract", "--property", other}),
      HasSubstr("module other has the input inner_q, and age_arbiter has neither such a port nor inner_q inside"));
  const auto with = [&](const std::string& inputs) {
    return refusal({"--contract", "--property",
                    out_.write("looks.sv", "module looks(input logic clk_i, " + inputs +
                                               ");\n  always_comb assert (clk_i);\nendmodule\n")});
  };
  EXPECT_THAT(with("input logic u_queue__valid_x"), HasSubstr("neither such a port nor u_queue.valid_x inside"));
  EXPECT_THAT(with("input logic [3:0] u_queue__valid_q"),
              HasSubstr("module looks has the input u_queue__valid_q of 4 bits, allowed: 8"));
  EXPECT_THAT(with("output wire passed_q = 1'b1"), HasSubstr("module looks has the output passed_q, allowed: inputs"));
  EXPECT_THAT(
      refusal({"--contract", "--property", out_.write("empty.sv", "module empty(input logic clk_i);\nendmodule\n")}),
      HasSubstr("found no assertion, allowed: one or more"));
  EXPECT_THAT(refusal({"--contract", "--against", "fr_fcfs"}), HasSubstr("--against: found --contract beside it"));
  EXPECT_THAT(refusal({}), HasSubstr("--against is missing; without a reference policy"));
}

/// A typedef of a packed array is something else to yosys 0.23: a proof would be of another design.
TEST_F(CheckProof, SaysNothingOfADesignThatYosysReadsOtherwise) {
  const std::string typed = GPUTLM_SOURCE_DIR "/tests/data/rtl/typed_heads.sv";
  const Strings options{"--size", "4x2x2", "--proof-cycles", "4", "--proof-time", "2"};
  const Outcome outcome = prove(typed, "round_robin", options);
  EXPECT_EQ(outcome.code, 2) << outcome.out;
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("typed_heads.sv: yosys reads module typed_heads differently from Verilator"),
                                 HasSubstr("in cycle "), HasSubstr(" in yosys' netlist")));
  const std::string flat = std::regex_replace(
      std::regex_replace(read_file(typed), std::regex("heads\\[(.*)\\] != '0"), "flat[($1)*(AppW+1)+:AppW+1] != '0"),
      std::regex("module typed_heads"), "module flat_heads");
  const Outcome proved = prove(out_.write("flat_heads.sv", flat), "round_robin", options);
  EXPECT_EQ(proved.code, 0) << proved.out << proved.err;
  EXPECT_EQ(outcomes().at("grant_one_hot"), "proved");
}

/// FR-FCFS passes the oldest request as often as there are row hits.
TEST_F(CheckProof, SimulatesAPropertyWithTheDesign) {
  const std::string file = design("plain_fr", "fr_fcfs_arbiter");
  const Strings options{"check",       file,       "--against",   "fr_fcfs", "--size",    "32x4x2",
                        "--parameter", "HasCap=0", "--hit-ratio", "90",      "--property"};
  const auto with = [&](const std::string& property) {
    Strings all = options;
    all.push_back(property);
    return run_program(all, out_.path(""));
  };
  const Outcome outcome = with(kLimit);
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("the design has failed an assertion"));
  EXPECT_THAT(outcome.err, HasSubstr("passed_at_most"));
  const std::string wide = out_.write(
      "wide_limit.sv", std::regex_replace(std::regex_replace(read_file(kLimit), std::regex("module starvation_limit"),
                                                             "module wide_limit"),
                                          std::regex("Limit   = 4"), "Limit   = 100000"));
  EXPECT_EQ(with(wide).code, 0);
  // A property of an internal register.
  const std::string never_full =
      out_.write("never_full.sv",
                 "module never_full(input logic clk_i, rst_ni, input logic [31:0] u_queue__valid_q);\n"
                 "  always_ff @(posedge clk_i) if (rst_ni) has_room: assert (u_queue__valid_q != '1);\nendmodule\n");
  const Outcome full = with(never_full);
  EXPECT_EQ(full.code, 1) << full.out;
  EXPECT_THAT(full.err, HasSubstr("has_room"));
}

TEST_F(CheckProof, RefutesAGrantToNobody) {
  const Outcome outcome = prove(
      design("shy", "fr_fcfs_arbiter", "assign grant_valid_o = any;", "assign grant_valid_o = any && !req_valid_i;"),
      "fr_fcfs", {"--size", "8x2x3", "--parameter", "HasCap=0", "--proof-cycles", "5"});
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(
      outcome.out,
      AllOf(HasSubstr("  grant_if_any     REFUTED by 3 cycles\n"), HasSubstr("REFUTED: grant_if_any\n"),
            HasSubstr("  granted_fields   no counterexample in 5 cycles\n"), HasSubstr("waveform: ./shy-proof.vcd\n")));
  // The events are those of the fault: a request waits and is asked for, and another one comes.
  const auto example = result()["counterexample"];
  EXPECT_EQ(example["cycles"], 3);
  const auto last = [&](const char* signal) { return example["signals"][signal][2].get<std::string>(); };
  EXPECT_EQ(last("req_valid_i"), "1");
  EXPECT_EQ(last("ask_valid_i"), "1");
  EXPECT_EQ(last("grant_valid_o"), "0");
  EXPECT_EQ(example["signals"]["req_valid_i"][1], "1");
  EXPECT_EQ(example["signals"]["rst_ni"][0], "0");
  EXPECT_THAT(read_file(out_.path("shy-proof.vcd")), HasSubstr("$scope module dut $end"));
  EXPECT_THAT(read_file(out_.path("result.xml")), HasSubstr("<failure message=\"REFUTED by 3 cycles\">"));
}

TEST_F(CheckProofNightly, RefutesTheOrderOfAPolicyThatItDoesNotHave) {
  // An arbiter that takes the oldest is a good arbiter, and no FR-FCFS.
  const std::string file = design("plain", "fr_fcfs_arbiter", "assign any_hit = some_hit && !capped;",
                                  "assign any_hit = 1'b0 && some_hit && !capped;");
  const Strings options{"--size", "8x2x2", "--proof-size", "8x2x2", "--proof-cycles", "5", "--proof-time", "1"};
  EXPECT_EQ(prove(file, "fr_fcfs", options).code, 1);
  EXPECT_EQ(outcomes().at("hits_first"), "refuted");
  EXPECT_NE(outcomes().at("grant_if_any"), "refuted");

  EXPECT_EQ(prove(file, "fcfs", options).code, 0);
  EXPECT_EQ(outcomes().count("hits_first"), 0u);
  EXPECT_EQ(outcomes().at("grant_one_hot"), "proved");
  EXPECT_EQ(result()["counterexample"], nullptr);
}

TEST_F(CheckProofNightly, RefutesAnAdmissionThatLetsInTooMuch) {
  const Outcome outcome = prove(design("lavish", "reserved_admission", "<= \\{1'b0, own\\} \\+ \\{1'b0, shared_q\\};",
                                       "<= {1'b0, own} + {1'b0, shared_q} + 1'b1;"),
                                "reserved", {"--size", "16x3x3", "--proof-cycles", "4"});
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  EXPECT_EQ(outcomes().at("admitted_fits"), "refuted");
}

/// A design of rtl/, a fault in it, and the property that says so.
struct OfAKind {
  const char* of;
  const char* policy;
  const char* size;
  std::size_t properties;
  const char* pattern;
  const char* by;
  const char* refuted;
};

class CheckProofOf : public CheckProof, public testing::WithParamInterface<OfAKind> {
 protected:
  Outcome prove_own(const std::string& name, const char* pattern, const char* by) const {
    const OfAKind& kind = GetParam();
    return prove(design(name + kind.of, kind.of, pattern, by), kind.policy,
                 {"--size", kind.size, "--proof-cycles", "5", "--proof-time", "2"});
  }
};
class CheckProofOfNightly : public CheckProofOf {};

TEST_P(CheckProofOf, RefutesAFault) {
  const Outcome outcome = prove_own("bad_", GetParam().pattern, GetParam().by);
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  EXPECT_EQ(outcomes()[GetParam().refuted], "refuted");
  EXPECT_EQ(result()["ordered"], true);
}

TEST_P(CheckProofOfNightly, ProvesACopy) {
  const Outcome outcome = prove_own("my_", "", "");
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  const auto all = outcomes();
  EXPECT_EQ(all.size(), GetParam().properties);
  for (const auto& [property, found] : all) EXPECT_EQ(found, "proved") << property;
}

const OfAKind kRoundRobin{"round_robin_flit_arbiter", "round_robin",      "4x2x2",      6,
                          "last_q <= grant_input_o",  "last_q <= last_q", "input_waits"};
const OfAKind kOthers[] = {
    {"hard_regulator", "hard", "2x3x3", 5, "\\.begin_i,", ".begin_i('0),", "never_withheld"},
    {"leftover_kernel_order", "leftover", "4x2", 6, "\\.older_i\\(older\\)", ".older_i('0)", "first_of_level"},
};
std::string name_of(const testing::TestParamInfo<OfAKind>& info) { return info.param.of; }
INSTANTIATE_TEST_SUITE_P(Kinds, CheckProofOf, testing::Values(kRoundRobin), name_of);
INSTANTIATE_TEST_SUITE_P(Nightly, CheckProofOf, testing::ValuesIn(kOthers), name_of);
INSTANTIATE_TEST_SUITE_P(RoundRobin, CheckProofOfNightly, testing::Values(kRoundRobin), name_of);
INSTANTIATE_TEST_SUITE_P(Others, CheckProofOfNightly, testing::ValuesIn(kOthers), name_of);

TEST_F(CheckProof, SaysWhatIsMissingOrWrong) {
  const std::string file = design("right", "fr_fcfs_arbiter");
  const auto rejected = [&](const Strings& options, const std::string& why) {
    const Outcome outcome = prove(file, "fr_fcfs", options);
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_THAT(outcome.err, HasSubstr(why));
    EXPECT_EQ(out_.files(""), Strings());
  };
  rejected({"--proof-cycles", "0"}, "--proof-cycles: found '0', allowed: a whole number from 1 to 1000");
  rejected({"--proof-size", "8x2"}, "--proof-size: found '8x2', allowed for arbiter: EntriesxBanksxApps");
  const Environment path("PATH", out_.path("nothing"));
  rejected({}, "apt-get install yosys");
}

}  // namespace
}  // namespace gputlm
