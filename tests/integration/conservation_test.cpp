// Requests leave in the right number and order.

#include <map>

#include "tests/integration/invariants.h"

namespace gputlm {
namespace {

using Json = nlohmann::json;

std::uint64_t count(const Json& json, const std::string& pointer) {
  return json.at(Json::json_pointer(pointer)).get<std::uint64_t>();
}

const Json& kernel_named(const FinishedRun& run, const std::string& label) {
  for (const Json& kernel : run.result.at("kernels"))
    if (kernel.at("kernel") == label) return kernel;
  throw std::runtime_error("no kernel " + label);
}

/// The mixed workload on two GPUs whose parameters differ in all that matters here; in a process each runs once.
class Conservation : public testing::TestWithParam<const char*> {
 protected:
  const FinishedRun& run() {
    static std::map<std::string, FinishedRun> runs;
    const auto found = runs.find(GetParam());
    if (found != runs.end()) return found->second;
    return runs.emplace(GetParam(), run_workload(workload_file("mixed.yaml"), {"--gpu", GetParam()})).first->second;
  }
  const Json& result() { return run().result; }
};

TEST_P(Conservation, EveryInvariantHolds) {
  expect_invariants(run());
  // None of them for want of something to count.
  for (const char* figure : {"/total/memory/requests", "/l2/total/atomics", "/l2/total/write_backs",
                             "/dram/total/row_conflicts", "/total/memory/shared_accesses"})
    EXPECT_GT(count(result(), figure), 0u) << figure;
}

TEST_P(Conservation, StreamsAreFifoAndReleaseTimesHold) {
  const auto& kernels = result().at("kernels");
  std::map<std::string, std::uint64_t> notified;  // of the last kernel, by application and stream
  std::uint64_t phase_0_end = 0;
  for (const Json& kernel : kernels) {
    if (count(kernel, "/phase") == 0) phase_0_end = std::max(phase_0_end, count(kernel, "/notified_cycle"));
  }
  for (const Json& kernel : kernels) {
    std::uint64_t& before =
        notified[kernel.at("application").get<std::string>() + kernel.at("stream").get<std::string>()];
    EXPECT_GE(count(kernel, "/submitted_cycle"), before);
    before = count(kernel, "/notified_cycle");
    if (count(kernel, "/phase") == 1) {
      EXPECT_GE(count(kernel, "/submitted_cycle"), phase_0_end);
    }
  }
  const double mhz = result().at("configuration").at("core_mhz").get<double>();
  EXPECT_GE(static_cast<double>(count(kernel_named(run(), "histogram#1"), "/submitted_cycle")) + 1, 2 * mhz);
  EXPECT_LE(count(kernel_named(run(), "spinner"), "/submitted_cycle"), 10u);  // at once, streams being independent
}

TEST_P(Conservation, LeftoverStartsBlocksInTheOrderOfTheirKernels) {
  std::vector<const Json*> kernels;
  for (const Json& kernel : result().at("kernels")) kernels.push_back(&kernel);
  std::sort(kernels.begin(), kernels.end(),
            [](const Json* a, const Json* b) { return count(*a, "/arrived_cycle") < count(*b, "/arrived_cycle"); });
  std::uint64_t last = 0;
  for (const Json* kernel : kernels) {
    std::map<std::uint64_t, std::uint64_t> starts;  // by block
    for (const BlockRow& row : run().blocks)
      if (row.kernel == kernel->at("kernel")) starts[row.block] = row.start;
    for (const auto& [block, start] : starts) {
      EXPECT_GE(start, last) << kernel->at("kernel") << " block " << block;
      last = start;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Mixed, Conservation, testing::Values("xavier", "gtx480"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(Instructions, AreTheGridTimesWhatABlockExecutes) {
  const TestFolder folder;
  const std::string input = folder.write("w.yaml", R"(
kernels:
  k:
    grid: [7, 3]
    block: 250
    patterns: {p: {kind: coalesced}, q: {kind: affine, lane_stride: 4}}
    program:
      - int: 3
      - loop:
          count: 5
          body:
            - load: {pattern: p, dst: 4}
            - loop: {count: 2, body: [fp32, {sfu: {src: 4}}]}
            - store: {pattern: q, space: shared, src: 4}
            - barrier
      - {atomic: p}
applications:
  - {name: a, streams: [{name: s, launches: [k]}]}
)");
  // A block: 8 warps, of which the last has 26 threads. A warp: 3 + 5 * (1 + 2 * 2 + 1 + 1) + 1 and the exit.
  constexpr std::uint64_t kBlocks = 21, kWarps = 8, kWarp = 3 + 5 * 7 + 1 + 1;
  for (const char* gpu : {"gtx480", "rtx2060"}) {
    const Json total = run_workload(input, {"--gpu", gpu}).result.at("total");
    EXPECT_EQ(count(total, "/instructions"), kBlocks * kWarps * kWarp);
    EXPECT_EQ(count(total, "/thread_instructions"), kBlocks * 250 * kWarp);
    EXPECT_EQ(count(total, "/memory/global_loads"), kBlocks * kWarps * (5 + 1));  // an atomic returns data
    EXPECT_EQ(count(total, "/memory/global_stores"), 0u);
    EXPECT_EQ(count(total, "/memory/shared_accesses"), kBlocks * kWarps * 5);
  }
}

TEST(Stalls, AndIssuesAddUpToTheTimeThatAWarpIsResident) {
  const TestFolder folder;
  const std::string input = folder.write("w.yaml", R"(
kernels:
  k:
    grid: 300
    block: 32
    variation: {spread: 0.3}
    patterns: {p: {kind: random, footprint: 1MiB}}
    program:
      - loop: {count: 9, varies: true, body: [{load: {pattern: p, dst: 4}}, {fp32: {dst: 5, src: [4, 5]}}, barrier]}
      - spin: {ns: 500}
      - {store: {pattern: p, src: 5}}
applications:
  - {name: a, streams: [{name: s, launches: [k]}]}
)");
  const FinishedRun run = run_workload(input, {"--gpu", "xavier"});
  std::uint64_t resident = 0;
  for (const BlockRow& row : run.blocks) resident += row.end - row.start - 1;  // it may issue from the next cycle on
  const Json& total = run.result.at("total");
  std::uint64_t accounted = count(total, "/instructions");
  for (const auto& [reason, cycles] : total.at("stall_warp_cycles").items()) accounted += cycles.get<std::uint64_t>();
  EXPECT_EQ(accounted, resident);
}

}  // namespace
}  // namespace gputlm
