/// Communication between blocks of a cluster on a Hopper GPU: latency and rate of the network between SMs, and the gain of
/// multicasts in a matrix multiplication.
#include <algorithm>

#include "models/kernel/program_kernel.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"

namespace gputlm {
namespace {

constexpr std::uint32_t kRingThreads = 1024;

ProgramSpec network_kernel(const std::string& name, std::uint32_t blocks, std::uint32_t threads,
                           std::uint32_t cluster) {
  ProgramSpec spec;
  spec.name = name;
  spec.grid = {blocks};
  spec.block = {threads};
  spec.cluster = {cluster};
  spec.shared_memory = 200 * 1024;  // one block per SM
  AffinePattern threads_words;
  threads_words.lane_stride = 4;
  threads_words.warp_stride = kWarpSize * 4;
  spec.patterns = {{"words", 0, threads_words}, {"word", 0, AffinePattern{}}};
  return spec;
}

MemoryElement of_member(Op op, const ClusterMember& member) {
  MemoryElement element;
  element.op = op;
  element.pattern = "words";
  element.space = Space::kCluster;
  element.member = member;
  return element;
}

/// A warp with a chain of dependent loads.
ProgramSpec chase_in_cluster(bool own, std::uint32_t times) {
  ProgramSpec spec = network_kernel(own ? "own" : "other", 2, kWarpSize, 2);
  ClusterMember member;
  member.peer = own ? 0 : 1;
  MemoryElement element = of_member(Op::kLoad, member);
  element.pattern = "word";
  element.registers.distance = 1;
  spec.body = {cluster_barrier(), loop(times, {{element}}), cluster_barrier()};
  return spec;
}

/// Each block stores its data into the next block of its cluster.
ProgramSpec ring(std::uint32_t blocks, std::uint32_t cluster, std::uint32_t times) {
  ProgramSpec spec =
      network_kernel("ring of " + std::to_string(cluster), blocks / cluster * cluster, kRingThreads, cluster);
  ClusterMember next;
  next.peer = 1;
  spec.body = {cluster_barrier(),
               loop(times, {load("words", 4, std::nullopt, {}, Space::kShared), {of_member(Op::kStore, next)}}),
               cluster_barrier()};
  return spec;
}

ProgramSpec barriers_of_clusters(std::uint32_t times) {
  ProgramSpec spec = network_kernel("barriers", 2, kWarpSize, 2);
  spec.body = {loop(times, {cluster_barrier()})};
  return spec;
}

/// Tiles of a multiplication of 16-bit matrices.
struct Tile {
  std::uint32_t m, n;    ///< size in elements
  std::uint32_t warps;   ///< warps that multiply
  std::uint32_t blocks;  ///< blocks of a cluster, one below the other, each of which fetches its part of B's rows
};

/// Tiles in steps of depth 64, four steps ahead: one warp loads by TMA, the others multiply.
ProgramSpec product(const Tile& tile) {
  constexpr std::uint32_t kStages = 4, kDepth = 64, kSteps = 8,
                          kFmas = 2048;  // kFmas: per instruction of the tensor cores
  constexpr Bytes kRow = 2 * kDepth, kPitch = 16384;
  ProgramSpec spec;
  spec.name = "product of " + std::to_string(tile.blocks);
  spec.grid = {9, 12};
  spec.block = {(tile.warps + 1) * static_cast<std::uint32_t>(kWarpSize)};
  spec.registers_per_thread = 128;
  spec.shared_memory = kStages * (tile.m + tile.n) * kRow;
  spec.cluster = {1, tile.blocks};
  IndexedPattern rows_of_a, rows_of_b;
  rows_of_a.block_y_stride = tile.m * static_cast<std::int64_t>(kPitch);
  rows_of_b.block_x_stride = tile.n * static_cast<std::int64_t>(kPitch);
  rows_of_a.iteration_stride = rows_of_b.iteration_stride = kStages * kRow;
  std::vector<ProgramElement> init, loads, products;
  for (std::uint32_t stage = 0; stage < kStages; ++stage) {
    const std::uint32_t full = stage, empty = kStages + stage;
    const std::string a = "a" + std::to_string(stage), b = "b" + std::to_string(stage);
    spec.patterns.push_back({a, 0x100000000 + stage * kRow, rows_of_a});
    spec.patterns.push_back({b, 0x200000000 + stage * kRow, rows_of_b});
    init.push_back({MbarrierInit{full, 1}});
    init.push_back({MbarrierInit{empty, tile.warps * tile.blocks}});
    loads.push_back({MbarrierWait{empty, 1}});
    loads.push_back({MbarrierArrive{full, 1, (tile.m + tile.n) * kRow, {}}});
    loads.push_back({BulkLoad{a, kRow, tile.m, kPitch, full, BulkLoad::Multicast::kNone}});
    loads.push_back({BulkLoad{b, kRow, tile.n, kPitch, full, BulkLoad::Multicast::kY}});
    products.push_back({MbarrierWait{full, 0}});
    products.push_back(instructions(Pipe::kTensor, tile.m * tile.n * kDepth / kFmas / tile.warps));
    for (std::uint32_t peer = 0; peer < tile.blocks; ++peer) {
      ClusterMember member;
      member.peer = peer;
      products.push_back({MbarrierArrive{empty, 1, 0, member}});
    }
  }
  // Without fences: their cost, once in the 128 steps of the measured multiplications, would count four times here.
  const ProgramElement arrive{ClusterElement{ClusterElement::Kind::kArriveRelaxed}};
  const ProgramElement wait{ClusterElement{ClusterElement::Kind::kWait}};
  spec.body = {warps(0, 0, init),
               arrive,
               wait,
               warps(0, 0, {loop(kSteps, loads)}),
               warps(1, tile.warps, {loop(kSteps, products)}),
               arrive,
               wait};
  return spec;
}

Run run_of(const GpuConfig& gpu, const ProgramSpec& spec, unsigned launches = 1) {
  Run run{gpu, workload_of_streams(1)};
  const auto kernel = std::make_shared<ProgramKernel>(spec, 0);
  for (unsigned i = 0; i < launches; ++i) launch(run.workload, 0, kernel);
  return run;
}

/// Cycles of the longest block of the last launch, from the first start to the last end.
double longest_block(const RunResult& result) {
  Cycle longest = 0;
  for (const BlockRecord& block : launch_outcomes(result).at(0).blocks)
    longest = std::max(longest, block.end - block.start);
  return static_cast<double>(longest);
}
double all_blocks(const RunResult& result) {
  Cycle first = kNever, last = 0;
  const std::vector<LaunchOutcome> outcomes = launch_outcomes(result);
  for (const BlockRecord& block : outcomes.back().blocks) {
    first = std::min(first, block.start);
    last = std::max(last, block.end);
  }
  return static_cast<double>(last - first);
}

ExperimentReport cluster_network_on_silicon(const Study& all, const ExperimentOptions& options) {
  const GpuConfig gpu = all.config_with({});
  const std::uint32_t once = all.number("times");
  RunSet<std::pair<std::string, std::uint32_t>> runs;
  for (const std::uint32_t times : {once, 2 * once}) {
    runs.add({"other", times}, run_of(gpu, chase_in_cluster(false, times)));
    runs.add({"own", times}, run_of(gpu, chase_in_cluster(true, times)));
    for (const std::uint32_t cluster : {2, 4})
      runs.add({"ring of " + std::to_string(cluster), times}, run_of(gpu, ring(gpu.sms, cluster, times)));
    runs.add({"barriers", times}, run_of(gpu, barriers_of_clusters(times)));
  }
  // As in fast.cu, if the tile changes with the clusters. The first launch fills the L2, which holds everything.
  const Tile alone{192, 192, 12, 1}, clustered{128, 256, 8, 2};
  for (const Tile& tile : {alone, clustered}) runs.add({"product", tile.blocks}, run_of(gpu, product(tile), 2));
  runs.run(options.jobs());

  ExperimentReport report{"silicon"};
  const auto cycles = [&](const std::string& run) {
    return (longest_block(runs.result({run, 2 * once})) - longest_block(runs.result({run, once}))) / once;
  };
  report.number("load of another SM's shared memory, cycles", "h100_sxm.cluster_network.luo.other", cycles("other"), 0,
                Band::within_share(0.05), "hop_latency is fitted to it");
  report.number("load of its own, by way of the cluster, cycles", "h100_sxm.cluster_network.luo.own", cycles("own"), 0,
                Band::within_share(0.05));
  for (const std::uint32_t cluster : {2, 4}) {
    const std::string name = "ring of " + std::to_string(cluster);
    report.number(name + ": bytes a cycle and SM", "h100_sxm.cluster_network.rings.of_" + std::to_string(cluster),
                  kRingThreads * 4 / cycles(name), 1, Band::table());
  }
  report.number("barrier of a cluster of two, cycles", "h100_sxm.cluster_network.credit.sync", cycles("barriers"), 0,
                Band::table(), "with a fence, as cluster.sync()");
  const auto rate = [&](const Tile& tile) {
    return tile.m * tile.n / all_blocks(runs.result({"product", tile.blocks}));
  };
  report.number("product of matrices: clusters of two with multicast against none", "h100_sxm.multicast.fast_cu.gain",
                rate(clustered) / rate(alone), 3, Band::within(0.05));
  return report;
}

GPUTLM_REGISTER { add_experiment("silicon/cluster_network", cluster_network_on_silicon, {"times"}); }

}  // namespace
}  // namespace gputlm
