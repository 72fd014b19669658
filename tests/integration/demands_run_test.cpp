// Blocks with demands on SMs that run blocks: as captured where they are alone, slower beside others, the same for every
// window and number of threads.

#include <gmock/gmock.h>

#include "tests/integration/program.h"

namespace gputlm {
namespace {

using testing::HasSubstr;

/// Two programs that each ask DRAM for two thirds of what it has; the third asks for nothing.
constexpr const char* kPrograms = R"(
kernels:
  reads: {grid: 48, block: 256, program: [spin: {us: 20}], demand: {instructions: 40000, load_store_instructions: 8000, l2_read_sectors: 78000, dram_read_bytes: 2496000, sectors_in_flight: 45}}
  more: {grid: 48, block: 256, program: [spin: {us: 20}], demand: {instructions: 40000, load_store_instructions: 8000, l2_read_sectors: 78000, dram_read_bytes: 2496000, sectors_in_flight: 45}}
  spins: {grid: 32, block: 256, program: [spin: {us: 20}]}
applications:
)";
constexpr const char* kReads = "  - {name: a, streams: [{name: s, launches: [reads, reads, reads]}]}\n";
constexpr const char* kMore = "  - {name: b, streams: [{name: s, launches: [more, more, more]}]}\n";
constexpr const char* kSpins = "  - {name: c, streams: [{name: s, launches: [spins, spins]}]}\n";

class Demands : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TestFolder;
    const std::string kernels = kPrograms;
    folder_->write("alone.yaml", kernels + kReads);
    folder_->write("two.yaml", kernels + kReads + kMore);
    folder_->write("beside_spins.yaml", kernels + kReads + kSpins);
    std::string spins = kernels;
    for (std::size_t at = spins.find(", demand"); at != std::string::npos; at = spins.find(", demand"))
      spins.erase(at, spins.find('}', spins.find("sectors_in_flight")) + 1 - at);
    folder_->write("no_demands.yaml", spins + kReads);
  }
  static void TearDownTestSuite() { delete folder_; }
  static std::string file(const std::string& name) { return folder_->path(name); }
  /// What the memory of the GPU has. The runs that measure it are kept beside the program.
  static std::string table() {
    const std::string durations = file("durations.yaml");
    if (std::filesystem::exists(durations)) return durations;
    const auto runs = std::filesystem::path(GPUTLM_PROGRAM).parent_path() / "tests/calibrations";
    const Outcome outcome = run_program({"calibrate", file("two.yaml"), "--gpu", "orin", "-o", durations, "--cache",
                                         runs.string(), "--set", "sm.model=blocks"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return durations;
  }
  static FinishedRun run(const std::string& name, std::vector<std::string> more = {}) {
    std::vector<std::string> options{"--gpu", "orin", "--set", "sm.model=blocks", "--set", "sm.durations=" + table()};
    options.insert(options.end(), more.begin(), more.end());
    return run_workload(file(name), options);
  }
  static double end(const FinishedRun& run, const std::string& kernel) {
    double last = 0;
    for (const auto& k : run.result.at("kernels"))
      if (k.at("name") == kernel) last = std::max(last, k.at("end_cycle").get<double>());
    return last;
  }

  static TestFolder* folder_;
};
TestFolder* Demands::folder_ = nullptr;

TEST_F(Demands, LastAsLongAsTheySpinWhereTheyAreAlone) {
  const double alone = end(run("alone.yaml"), "reads"), spins = end(run("no_demands.yaml"), "reads");
  EXPECT_NEAR(alone / spins, 1, 0.01);
  EXPECT_NEAR(end(run("beside_spins.yaml"), "reads") / alone, 1, 0.01) << "those that spin take places only";
}

TEST_F(Demands, ShareAFullMemory) {
  const FinishedRun alone = run("alone.yaml"), both = run("two.yaml");
  const double slowdown = end(both, "reads") / end(alone, "reads");
  EXPECT_GT(slowdown, 1.2);
  EXPECT_LT(slowdown, 1.9);
  EXPECT_NEAR(end(both, "more") / end(both, "reads"), 1, 0.02) << "equal programs lose the same";
}

/// What blocks took longer than they spin, and what they lost it to.
TEST_F(Demands, SayWhatBlocksLostTheirTimeTo) {
  const FinishedRun both = run("two.yaml");
  const double spin = 20 * 1300;  // cycles, alone
  for (const auto& application : both.result.at("applications")) {
    const auto& sharing = application.at("sharing");
    double lost = -sharing.at("gained_block_cycles").get<double>();
    for (const auto& [what, cycles] : sharing.at("lost_block_cycles").items()) lost += cycles.get<double>();
    const double blocks = 3 * 48;
    double longer = -blocks * spin;  // a launch is one wave, whose blocks begin and end together
    for (const auto& kernel : both.result.at("kernels")) {
      if (kernel.at("application") == application.at("name"))
        longer += 48 * kernel.at("execution_cycles").get<double>();
    }
    EXPECT_GT(lost, 0.1 * blocks * spin);
    EXPECT_NEAR(lost / longer, 1, 0.03);
    EXPECT_GT(sharing.at("lost_block_cycles").at("dram").get<double>(), 0.7 * lost);
  }
}

TEST_F(Demands, AreTheSameForEveryWindowAndNumberOfThreads) {
  const std::string once = run("two.yaml").result.dump();
  EXPECT_EQ(run("two.yaml", {"--window", "1"}).result.dump(), once);
  EXPECT_EQ(run("two.yaml", {"--threads", "2"}).result.dump(), once);
  EXPECT_EQ(run("two.yaml", {"--check-protocol"}).result.at("kernels").dump(),
            run("two.yaml").result.at("kernels").dump());
}

TEST_F(Demands, NeedWhatTheMemoryHas) {
  folder_->write("empty.yaml", "seed: 1\ngpu: {}\nkernels: []\n");
  const Outcome outcome = run_program({"run", file("two.yaml"), "--gpu", "orin", "--set", "sm.model=blocks", "--set",
                                       "sm.durations=" + file("empty.yaml")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("gputlm calibrate"));
}

}  // namespace
}  // namespace gputlm
