// What goes in comes out: sums over blocks, kernels, streams, applications, SMs, networks, L2 and DRAM agree.

#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "tests/integration/program.h"

namespace gputlm {
namespace {

using Json = nlohmann::json;

std::uint64_t count(const Json& json, const std::string& pointer) {
  return json.at(Json::json_pointer(pointer)).get<std::uint64_t>();
}

/// Sum of one figure over a list of objects.
std::uint64_t sum(const Json& list, const std::string& pointer) {
  std::uint64_t total = 0;
  for (const Json& item : list) total += count(item, pointer);
  return total;
}

std::uint64_t blocks_of(const Json& kernel) {
  const Json& grid = kernel.at("grid");
  return grid[0].get<std::uint64_t>() * grid[1].get<std::uint64_t>() * grid[2].get<std::uint64_t>();
}

std::uint64_t threads_of(const Json& kernel) {
  const Json& block = kernel.at("block");
  return block[0].get<std::uint64_t>() * block[1].get<std::uint64_t>() * block[2].get<std::uint64_t>();
}

const Json& kernel_named(const FinishedRun& run, const std::string& label) {
  for (const Json& kernel : run.result.at("kernels"))
    if (kernel.at("label") == label) return kernel;
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
  std::uint64_t total(const std::string& pointer) { return count(result().at("total"), pointer); }
};

TEST_P(Conservation, EveryBlockRunsExactlyOnce) {
  std::map<std::string, std::set<std::uint64_t>> seen;
  for (const BlockRow& row : run().blocks) {
    EXPECT_TRUE(seen[row.kernel].insert(row.block).second) << row.kernel << " block " << row.block;
    EXPECT_LT(row.sm, result().at("sms").size());
    EXPECT_LT(row.start, row.end);
  }
  EXPECT_EQ(seen.size(), result().at("kernels").size());
  for (const Json& kernel : result().at("kernels")) {
    const auto& blocks = seen[kernel.at("label")];
    EXPECT_EQ(blocks.size(), blocks_of(kernel));
    EXPECT_EQ(*blocks.rbegin() + 1, blocks_of(kernel));
  }
}

TEST_P(Conservation, KernelsSpanTheirBlocks) {
  for (const Json& kernel : result().at("kernels")) {
    std::uint64_t first = ~std::uint64_t{0}, last = 0;
    for (const BlockRow& row : run().blocks) {
      if (row.kernel != kernel.at("label")) continue;
      first = std::min(first, row.start);
      last = std::max(last, row.end);
    }
    EXPECT_EQ(count(kernel, "/first_block_cycle"), first);
    EXPECT_EQ(count(kernel, "/end_cycle"), last);
    EXPECT_LT(count(kernel, "/launch_cycle"), count(kernel, "/arrival_cycle"));
    EXPECT_LT(count(kernel, "/arrival_cycle"), first);
    EXPECT_LT(last, count(kernel, "/notified_cycle"));
  }
}

TEST_P(Conservation, SumsOverKernelsStreamsApplicationsAndSmsAgree) {
  for (const char* figure : {"/instructions", "/thread_instructions", "/memory/requests", "/l1/sector_misses",
                             "/noc/request_flits", "/l2/read_hits", "/dram/row_hits", "/stall_warp_cycles/memory"}) {
    EXPECT_EQ(sum(result().at("kernels"), figure), total(figure)) << figure;
    EXPECT_EQ(sum(result().at("streams"), figure), total(figure)) << figure;
    EXPECT_EQ(sum(result().at("applications"), figure), total(figure)) << figure;
  }
  const Json& sms = result().at("sms");
  EXPECT_EQ(sum(sms, "/instructions"), total("/instructions"));
  EXPECT_EQ(sum(sms, "/blocks"), run().blocks.size());
  EXPECT_EQ(sum(sms, "/load_store/l1_sector_hits"), total("/l1/sector_hits"));
  EXPECT_EQ(sum(sms, "/load_store/l1_sector_misses"), total("/l1/sector_misses"));
  for (const Json& sm : sms) {
    const auto issued = sm.at("issued_by_sub_core").get<std::vector<std::uint64_t>>();
    EXPECT_EQ(std::accumulate(issued.begin(), issued.end(), std::uint64_t{0}), count(sm, "/instructions"));
  }
}

TEST_P(Conservation, EveryRequestCrossesEveryHopAndIsAnswered) {
  const std::uint64_t requests = total("/memory/requests");
  EXPECT_GT(requests, 0u);
  for (const char* network : {"gpc_requests", "crossbar_requests", "gpc_replies", "crossbar_replies"})
    EXPECT_EQ(count(result(), std::string("/noc/") + network + "/packets"), requests) << network;
  for (const char* stage : {"gpc", "crossbar"}) {
    EXPECT_EQ(count(result(), std::string("/noc/") + stage + "_requests/flits"), total("/noc/request_flits"));
    EXPECT_EQ(count(result(), std::string("/noc/") + stage + "_replies/flits"), total("/noc/reply_flits"));
  }
  const Json& l2 = result().at("l2").at("total");
  EXPECT_EQ(count(l2, "/reads") + count(l2, "/writes") + count(l2, "/atomics"), requests);
  EXPECT_EQ(count(l2, "/reads") + count(l2, "/atomics"), total("/l2/read_hits") + total("/l2/read_misses"));
  EXPECT_EQ(count(l2, "/writes"), total("/l2/write_hits") + total("/l2/write_misses"));
  EXPECT_EQ(count(l2, "/write_hits"), total("/l2/write_hits"));
  EXPECT_GT(count(l2, "/atomics"), 0u);
}

TEST_P(Conservation, DramServesWhatTheL2AsksFor) {
  const Json& l2 = result().at("l2").at("total");
  const Json& dram = result().at("dram").at("total");
  // Fills are waited for; write-backs may still be under way when the last kernel ends.
  const std::uint64_t served = count(dram, "/row_hits") + count(dram, "/row_misses") + count(dram, "/row_conflicts");
  EXPECT_GE(served, count(l2, "/fills"));
  EXPECT_LE(served, count(l2, "/fills") + count(l2, "/write_backs"));
  EXPECT_EQ(count(dram, "/row_misses") + count(dram, "/row_conflicts") > 0, count(dram, "/activates") > 0);
  const std::uint64_t burst = count(result(), "/configuration/dram/burst_bytes");
  std::uint64_t read = 0, written = 0;
  for (const Json& application : result().at("dram").at("applications")) {
    read += count(application, "/read_bytes");
    written += count(application, "/written_bytes");
  }
  EXPECT_EQ(read, count(dram, "/reads") * burst);
  EXPECT_EQ(written, count(dram, "/writes") * burst);
}

TEST_P(Conservation, NoSmHoldsMoreThanItsLimits) {
  const Json& sm = result().at("configuration").at("sm");
  struct Change {
    std::uint64_t at;
    bool starts;
    const Json* kernel;
  };
  std::map<std::uint64_t, std::vector<Change>> changes;
  for (const BlockRow& row : run().blocks) {
    changes[row.sm].push_back({row.start, true, &kernel_named(run(), row.kernel)});
    changes[row.sm].push_back({row.end, false, &kernel_named(run(), row.kernel)});
  }
  std::uint64_t most_blocks = 0;
  for (auto& [id, list] : changes) {
    std::sort(list.begin(), list.end(),
              [](const Change& a, const Change& b) { return std::tie(a.at, a.starts) < std::tie(b.at, b.starts); });
    std::uint64_t blocks = 0, threads = 0, warps = 0, registers = 0, shared = 0;
    for (const Change& change : list) {
      const std::uint64_t sign = change.starts ? 1 : ~std::uint64_t{0};
      const std::uint64_t block_warps = (threads_of(*change.kernel) + 31) / 32;
      const std::uint64_t step = count(sm, "/register_granularity");
      blocks += sign;
      threads += sign * threads_of(*change.kernel);
      warps += sign * block_warps;
      registers += sign * block_warps * ((count(*change.kernel, "/registers") * 32 + step - 1) / step * step);
      shared += sign * count(*change.kernel, "/shared_memory_bytes");
      EXPECT_LE(blocks, count(sm, "/blocks"));
      EXPECT_LE(threads, count(sm, "/threads"));
      EXPECT_LE(warps, count(sm, "/warps"));
      EXPECT_LE(registers, count(sm, "/registers"));
      EXPECT_LE(shared, count(sm, "/shared_memory"));
      most_blocks = std::max(most_blocks, blocks);
    }
    EXPECT_EQ(blocks, 0u);
  }
  EXPECT_GT(most_blocks, 1u);
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
    EXPECT_GE(count(kernel, "/launch_cycle"), before);
    before = count(kernel, "/notified_cycle");
    if (count(kernel, "/phase") == 1) {
      EXPECT_GE(count(kernel, "/launch_cycle"), phase_0_end);
    }
  }
  const double mhz = result().at("configuration").at("core_mhz").get<double>();
  EXPECT_GE(static_cast<double>(count(kernel_named(run(), "histogram#1"), "/launch_cycle")) + 1, 2 * mhz);
  EXPECT_LE(count(kernel_named(run(), "spinner"), "/launch_cycle"), 10u);  // at once, streams being independent
}

TEST_P(Conservation, LeftoverStartsBlocksInTheOrderOfTheirKernels) {
  std::vector<const Json*> kernels;
  for (const Json& kernel : result().at("kernels")) kernels.push_back(&kernel);
  std::sort(kernels.begin(), kernels.end(),
            [](const Json* a, const Json* b) { return count(*a, "/arrival_cycle") < count(*b, "/arrival_cycle"); });
  std::uint64_t last = 0;
  for (const Json* kernel : kernels) {
    std::map<std::uint64_t, std::uint64_t> starts;  // by block
    for (const BlockRow& row : run().blocks)
      if (row.kernel == kernel->at("label")) starts[row.block] = row.start;
    for (const auto& [block, start] : starts) {
      EXPECT_GE(start, last) << kernel->at("label") << " block " << block;
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
