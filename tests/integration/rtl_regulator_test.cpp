// The whole GPU gives the same bytes with the regulators of rtl/ at every place where memory budgets are enforced as with
// their models.

#include "tests/integration/own_rtl.h"
#include "tests/integration/rtl_runs.h"

namespace gputlm {
namespace {

/// Four applications, three of which have budgets that they use up, one in some periods only.
const char* const kWithBudgets = R"(kernels:
  k: {grid: 6, block: 96, patterns: {r: {kind: random, footprint: 16MiB}},
      program: [{loop: {count: 4, body: [{load: {pattern: r, dst: 4, src: 2}}, {store: {pattern: r, src: 4}}]}}]}
applications:
  - {name: a, memory_budget: {bytes: 6000, period_us: 1}, streams: [{name: s, launches: [k, k]}]}
  - {name: b, streams: [{name: s, launches: [k]}]}
  - {name: c, memory_budget: {bytes: 1000, period_us: 1, writes: false}, streams: [{name: s, launches: [k]}]}
  - {name: d, memory_budget: {bytes: 3KiB, period_us: 1}, streams: [{name: s, launches: [{kernel: k, release_us: 4}]}]}
)";

using RegulatorStrings = std::vector<std::string>;

const RegulatorStrings kSmallA100{"--gpu", "a100",          "--set", "sms=8",
                                  "--set", "sms_per_gpc=4", "--set", "dram.channels=8"};

TEST(RtlRegulators, GiveTheResultOfTheModels) {
  const TestFolder folder;
  const std::string input = folder.write("w.yaml", kWithBudgets);
  for (const char* policy : {"hard", "reclaim"}) {
    for (const char* place : {"sm_port", "l2"}) {
      RegulatorStrings options = kSmallA100;
      options.insert(options.end(), {"--set", std::string("noc.regulator_place=") + place});
      expect_the_same(input, "noc.regulator", policy, options);
    }
  }
}

TEST(RtlRegulators, OfAUserGiveTheResultOfTheModels) {
  const TestFolder folder;
  copy_rtl(folder.path(""));
  const std::string input = folder.write("w.yaml", kWithBudgets),
                    own = own_design(folder.path(""), "mine", "reclaim_regulator");
  const auto run = [&](const std::string& policy) {
    RegulatorStrings options = kSmallA100;
    options.insert(options.end(), {"--rtl", own, "--set", "noc.regulator=" + policy});
    return run_workload(input, options);
  };
  EXPECT_EQ(run("mine@rtl").blocks_text, run("reclaim").blocks_text);
}

TEST(RtlRegulators, RefuseWhatTheyCannotHold) {
  const TestFolder folder;
  const std::string input =
      folder.write("w.yaml", std::string(kWithBudgets).replace(std::string(kWithBudgets).find("6000"), 4, "64GiB"));
  RegulatorStrings options = kSmallA100;
  options.insert(options.begin(), {"run", input});
  options.insert(options.end(), {"--set", "noc.regulator=hard@rtl"});
  const Outcome outcome = run_program(options);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(
      outcome.err.find("bytes of a memory budget at a place: found 8589934592, allowed with noc.regulator=hard@rtl"),
      std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace gputlm
