// SMs that run blocks: calibrated and compared with those that run warps, for every window; and refused inputs.

#include <gmock/gmock.h>

#include <map>

#include "tests/integration/program.h"

namespace gputlm {
namespace {

using Options = std::vector<std::string>;
using testing::HasSubstr;

/// Two kernels that meet: one computes, with loops that differ from block to block, one reads memory. A third only spins.
constexpr const char* kMix = R"(
kernels:
  computes: {grid: 120, block: 256, variation: {spread: 0.2}, program: [loop: {count: 30, varies: true, body: [fp32: {distance: 2, count: 8}, int: 2]}]}
  reads: {grid: 100, block: 256, patterns: {p: {kind: random, footprint: 16MiB}}, program: [loop: {count: 6, body: [load: p, fp32: 4]}]}
  spins: {grid: 30, block: 128, program: [spin: {us: 20}]}
applications:
  - name: a
    streams:
      - {name: c, launches: [computes, computes]}
      - {name: r, launches: [{kernel: reads, release_us: 5}]}
      - {name: s, launches: [{kernel: spins, release_us: 2}]}
)";

/// Times of the launches from arrival to end, by label.
std::map<std::string, double> turnarounds(const nlohmann::json& result) {
  std::map<std::string, double> times;
  for (const auto& kernel : result.at("kernels"))
    times[kernel.at("kernel")] = kernel.at("end_cycle").get<double>() - kernel.at("arrived_cycle").get<double>();
  return times;
}

class Blocks : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TestFolder;
    folder_->write("mix.yaml", kMix);
  }
  static void TearDownTestSuite() { delete folder_; }

  static std::string mix() { return folder_->path("mix.yaml"); }
  static std::string table() { return calibrated("blocks"); }
  static std::string table_of_requests() { return calibrated("blocks_requests"); }
  /// The durations for a model. Its runs are kept beside the program: each test is a process of its own.
  static std::string calibrated(const std::string& model) {
    const std::string file = folder_->path(model + ".yaml");
    if (std::filesystem::exists(file)) return file;
    const auto runs = std::filesystem::path(GPUTLM_PROGRAM).parent_path() / "tests/calibrations";
    const Outcome outcome = run_program(
        {"calibrate", mix(), "--gpu", "gtx480", "-o", file, "--cache", runs.string(), "--set", "sm.model=" + model});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return file;
  }
  static Options on_blocks(const std::string& durations, const std::string& model = "blocks") {
    return {"--gpu", "gtx480", "--set", "sm.model=" + model, "--set", "sm.durations=" + durations};
  }
  /// What the program says of a run on this table.
  static Outcome refused(const std::string& durations, const Options& more = {}) {
    Options arguments{"run", mix()};
    for (const std::string& word : on_blocks(durations)) arguments.push_back(word);
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }

  static TestFolder* folder_;
};
TestFolder* Blocks::folder_ = nullptr;

TEST_F(Blocks, EndWhenWarpsDoAndForEveryWindowAtTheSameCycle) {
  const FinishedRun warps = run_workload(mix(), {"--gpu", "gtx480"});
  const FinishedRun blocks = run_workload(mix(), on_blocks(table()));
  const auto one = turnarounds(warps.result), other = turnarounds(blocks.result);
  ASSERT_EQ(one.size(), other.size());
  for (const auto& [label, time] : one) {
    EXPECT_GT(other.at(label), 0.88 * time) << label;
    EXPECT_LT(other.at(label), 1.12 * time) << label;
  }
  EXPECT_EQ(warps.blocks.size(), blocks.blocks.size());
  for (const char* window : {"1", "7"}) {
    Options options = on_blocks(table());
    options.insert(options.end(), {"--window", window, "--check-protocol"});
    const FinishedRun same = run_workload(mix(), options);
    EXPECT_EQ(same.blocks_text, blocks.blocks_text) << window;
    EXPECT_EQ(same.result.at("kernels"), blocks.result.at("kernels")) << window;
  }
}

TEST_F(Blocks, SendTheRequestsOfWarpsWhereTheyAreToAndForEveryWindowAndThread) {
  const Options options = on_blocks(table_of_requests(), "blocks_requests");
  const FinishedRun warps = run_workload(mix(), {"--gpu", "gtx480"});
  const FinishedRun blocks = run_workload(mix(), options);
  const auto one = turnarounds(warps.result), times = turnarounds(blocks.result);
  ASSERT_EQ(one.size(), times.size());
  for (const auto& [label, time] : one) {
    EXPECT_GT(times.at(label), 0.88 * time) << label;
    EXPECT_LT(times.at(label), 1.12 * time) << label;
  }
  const auto of = [](const FinishedRun& run, const std::string& unit, const std::string& counter) {
    double sum = 0;
    for (const auto& kernel : run.result.at("kernels")) sum += kernel.at(unit).at(counter).get<double>();
    return sum;
  };
  for (const auto& [unit, counter] : std::vector<std::pair<std::string, std::string>>{
           {"memory", "global_loads"}, {"memory", "requests"}, {"l1", "sector_misses"}, {"l2", "read_misses"}}) {
    EXPECT_GT(of(warps, unit, counter), 0) << counter;
    EXPECT_NEAR(of(blocks, unit, counter), of(warps, unit, counter), 0.05 * of(warps, unit, counter)) << counter;
  }
  for (const Options& more :
       std::vector<Options>{{"--window", "1", "--check-protocol"}, {"--window", "7"}, {"--threads", "2"}}) {
    Options with = options;
    with.insert(with.end(), more.begin(), more.end());
    const FinishedRun same = run_workload(mix(), with);
    EXPECT_EQ(same.blocks_text, blocks.blocks_text) << more.at(0) << more.at(1);
    EXPECT_EQ(same.result.at("kernels"), blocks.result.at("kernels")) << more.at(0) << more.at(1);
  }
  const Outcome other = refused(table_of_requests());  // here, as it takes long to measure
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("allowed: on all SMs at once, which sm.model=blocks needs"));
}

/// Stores that load the DRAM once blocks of all SMs make them. They go to other addresses in each block.
TEST_F(Blocks, DurationsForRequestsAreThoseOfOneSmInAnIdleMemoryWhateverTheGrid) {
  const std::string kernel =
      ", block: 256, patterns: {p: {kind: strided, stride: 256}}, program: [loop: {count: 4, body: [store: p]}]}\n";
  const auto measured = [&](unsigned grid) {
    const std::string workload =
        folder_->write("stores.yaml", "kernels:\n  k: {grid: " + std::to_string(grid) + kernel +
                                          "applications:\n  - {name: a, streams: [{name: s, launches: [k]}]}\n");
    const Outcome outcome = run_program(
        {"calibrate", workload, "--gpu", "gtx480", "-o", "-", "--no-cache", "--set", "sm.model=blocks_requests"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::vector<double> cycles;
    for (const char* of : {"alone: [[1, ", "latency: [[1, "})
      cycles.push_back(std::stod(outcome.out.substr(outcome.out.find(of) + std::string(of).size())));
    return cycles;
  };
  const std::vector<double> one_sm = measured(1), all = measured(24 * 15);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_NEAR(all[i], one_sm[i], 0.1 * one_sm[i]);
}

TEST_F(Blocks, DurationsForTheOtherKindOfMemoryAreRefused) {
  const Outcome closed = refused(table(), {"--set", "sm.model=blocks_requests"});
  EXPECT_EQ(closed.code, 2);
  EXPECT_THAT(closed.err, HasSubstr("found durations that were measured on all SMs at once, allowed: on one SM"));
  EXPECT_THAT(closed.err, HasSubstr("gputlm calibrate --set sm.model=blocks_requests"));
}

TEST_F(Blocks, AKernelWithoutDurationsIsRefused) {
  const Outcome none = refused("none");
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("kernel computes is not in sm.durations=none"));
  EXPECT_THAT(none.err, HasSubstr("gputlm calibrate"));
}

TEST_F(Blocks, DurationsOfAnotherGpuAreRefused) {
  const Outcome other = refused(table(), {"--set", "sm.l1.hit_latency=99"});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("found durations that were measured with sm.l1.hit_latency="));
  EXPECT_THAT(other.err, HasSubstr("with 99"));
}

TEST_F(Blocks, AddressesAreNotTranslated) {
  const Outcome outcome = refused(table(), {"--set", "mmu.enabled=true"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("sm.model=blocks translates no addresses; allowed: mmu.enabled=false"));
}

TEST_F(Blocks, AFileThatIsNoTableIsRefusedWithItsLine) {
  const std::string gpu = "seed: 1\ngpu: {sms: 15}\n";
  const std::string kernel = "kernels:\n  - {name: a, id: x, instructions: 1, sensitivity: 0, spread: [], alone: ";
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"seed: 1\n", "gpu"},
      {gpu + "kernels: 3\n", ":3: "},
      {"seed: 1\ngpu: {smz: 15}\nkernels: []\n", ":2: "},
      {gpu + kernel + "[]}\n", ":4: "},
      {gpu + kernel + "[[1, 0, 5]]}\n", ":4: "},
      {gpu + kernel + "[[1, 5]]}\n", "found 2 numbers, allowed: 3"},
      {gpu + kernel + "[[2, 5, 5], [1, 5, 5]]}\n", "allowed: more than in the line before"},
      {gpu + kernel +
           "[[1, 5, 5]]}\n  - {name: b, id: x, instructions: 1, sensitivity: 0, spread: [], alone: [[1, 5, 5]]}\n",
       "the kernel occurs twice"},
      {gpu + kernel + "[[1, 5, 5]]}\npairs:\n  - {kernels: [0, 0], beside: []}\n", "allowed: two places, ascending"},
      {gpu + kernel + "[[1, 5, 5]]}\npairs:\n  - {kernels: [0, 1], beside: []}\n", ":6: "},
      {"delay: 0\n" + gpu + "kernels: []\n", ":1: "},
      {"delay: 9\n" + gpu + kernel + "[[1, 5, 5]]}\n", "requests"},
      {"delay: 9\n" + gpu + kernel + "[[1, 5, 5]], requests: 1, delayed: [[1, 5, 5]], latency: []}\n", ":5: "},
  };
  for (const auto& [text, message] : bad) {
    const Outcome outcome = refused(folder_->write("bad.yaml", text));
    EXPECT_EQ(outcome.code, 2) << text;
    EXPECT_THAT(outcome.err, HasSubstr(message)) << text;
  }
}

}  // namespace
}  // namespace gputlm
