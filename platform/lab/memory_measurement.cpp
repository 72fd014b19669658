#include "platform/lab/memory_measurement.h"

#include <algorithm>
#include <vector>

#include "models/kernel/program_kernel.h"
#include "platform/lab/block_measurements.h"
#include "platform/lab/duration_run.h"
#include "platform/lab/run_set.h"

namespace gputlm {
namespace {

constexpr unsigned kThreads = 256, kWidth = 8;
constexpr Bytes kBytesOfLoad = kWarpSize * kWidth, kSectorsOfLoad = kBytesOfLoad / kSectorBytes;
constexpr unsigned kInFlight = 4;  ///< simultaneous loads of a warp when the memory is to be saturated
/// Passes per warp. Few for writes: blocks are short then, and the L2 fills with dirty lines within some waves.
constexpr std::uint32_t kPasses = 8, kPassesOfWrites = 2;
/// A run reads this multiple of the L2's capacity from DRAM, and this fraction of it from the L2.
constexpr Bytes kBeyond = 4, kWithin = 4;

enum class MemoryUse : std::uint8_t { kHits, kReads, kMixed, kWrites };

struct MemoryPoint {
  MemoryUse what = MemoryUse::kHits;
  unsigned blocks = 1;     ///< blocks per SM
  unsigned in_flight = 1;  ///< loads per warp
  bool one_sm = false;
};

/// Blocks that access memory of their own; those of kHits share a part of the L2, which the first blocks fetch.
std::shared_ptr<Kernel> kernel_of(const MemoryPoint& point, Bytes l2, unsigned sms) {
  const bool stores = point.what == MemoryUse::kMixed || point.what == MemoryUse::kWrites;
  const std::uint32_t passes = stores ? kPassesOfWrites : kPasses;
  const Bytes of_block = kThreads / kWarpSize * passes * kBytesOfLoad;
  ProgramSpec spec;
  spec.name = "memory";
  spec.block = {kThreads};
  spec.registers_per_thread = 32;
  const Bytes each = of_block * point.in_flight;
  const std::uint64_t first = std::uint64_t{sms} * point.blocks;
  const std::uint64_t blocks =
      point.what == MemoryUse::kHits ? std::min<std::uint64_t>(l2 / kWithin / each, first) : l2 * kBeyond / each;
  spec.grid = {static_cast<std::uint32_t>(std::max<std::uint64_t>(1, blocks))};
  AffinePattern pattern;
  pattern.lane_stride = kWidth;
  pattern.iteration_stride = kBytesOfLoad * point.in_flight;
  pattern.warp_stride = pattern.iteration_stride * passes;
  pattern.block_stride = static_cast<std::int64_t>(each);
  if (point.what == MemoryUse::kHits) pattern.footprint = spec.grid.count() * each;
  std::vector<ProgramElement> body;
  for (unsigned i = 0; i < point.in_flight; ++i) {
    const std::string name = "part_" + std::to_string(i);
    const Address base = 0x10000000 + i * kBytesOfLoad;
    spec.patterns.push_back({name, base, pattern});
    const auto destination = static_cast<std::uint8_t>(8 + 2 * i);
    if (point.what != MemoryUse::kWrites) body.push_back(load(name, kWidth, destination));
    if (!stores) continue;
    const Address written = base + (Address{1} << 40);
    spec.patterns.push_back({"to_" + std::to_string(i), point.what == MemoryUse::kWrites ? base : written, pattern});
  }
  for (unsigned i = 0; i < point.in_flight; ++i) {
    const auto value = static_cast<std::uint8_t>(8 + 2 * i);
    if (point.what != MemoryUse::kWrites) body.push_back(instruction(Pipe::kInt, 4, {4, value}));
    if (stores) body.push_back(store("to_" + std::to_string(i), kWidth, {value}));
  }
  spec.body = {loop(passes, std::move(body))};
  return std::make_shared<ProgramKernel>(spec, 1);
}

/// Blocks that are always ready are short, since a greedy warp order may let the others wait until they end.
constexpr unsigned kMostReady = 8;  ///< warps per sub-core
constexpr std::uint32_t kWakes = 256, kReadyRuns = 32, kRun = 64;
/// In each sub-core one warp waits for loads repeatedly.
std::shared_ptr<Kernel> waking_kernel(const SmConfig& sm) {
  ProgramSpec spec;
  spec.name = "waking";
  spec.grid = {1};
  spec.block = {sm.sub_cores * static_cast<std::uint32_t>(kWarpSize)};
  spec.shared_memory = 1024;
  spec.patterns = {{"word", 0, BroadcastPattern{}}};
  spec.body = {loop(kWakes, {load("word", 4, 8, {4}, Space::kShared), instruction(Pipe::kInt, 4, {8})})};
  return std::make_shared<ProgramKernel>(spec, 1);
}
/// The other warps always have an instruction: runs of them and a branch, as in a compiled loop.
std::shared_ptr<Kernel> ready_kernel(const SmConfig& sm, unsigned warps) {
  ProgramSpec spec;
  spec.name = "ready";
  spec.grid = {1};
  spec.block = {warps * sm.sub_cores * static_cast<std::uint32_t>(kWarpSize)};
  spec.body = {loop(kReadyRuns, {instructions(Pipe::kFp32, kRun, 4), {ArithmeticElement{Pipe::kControl, false, {}}}})};
  return std::make_shared<ProgramKernel>(spec, 1);
}

}  // namespace

MemoryCapacities measure_memory(const GpuConfig& config, const JobOptions& options) {
  RunSet<std::size_t, DurationRun> runs;
  std::vector<MemoryPoint> points;
  const unsigned warps = std::min(config.sm.warps, config.sm.threads / static_cast<unsigned>(kWarpSize));
  const unsigned most = std::max(1u, std::min({warps / (kThreads / static_cast<unsigned>(kWarpSize)), config.sm.blocks,
                                               config.sm.registers / (kThreads * 32)}));
  const auto add = [&](const MemoryPoint& point) {
    DurationRun run;
    run.config = measuring(config, point.blocks, 1);
    run.config.sm.carveout = "fixed";
    run.config.sm.l1.bytes = Bytes{config.sm.l1.ways} * kLineBytes;  // the L1 must not help
    run.kernels = {
        kernel_of(point, config.l2.enabled ? config.l2.bytes : Bytes{1} << 20, point.one_sm ? 1 : config.sms)};
    run.blocks = {point.blocks};
    run.one_sm = point.one_sm;
    if (point.what == MemoryUse::kMixed || point.what == MemoryUse::kWrites) {
      // By then twice the L2's capacity has been written.
      const Bytes of_wave =
          kThreads / kWarpSize * kPassesOfWrites * kBytesOfLoad * point.in_flight * point.blocks * config.sms;
      run.warm = static_cast<unsigned>((2 * config.l2.bytes + of_wave - 1) / of_wave);
      run.waves += run.warm;
    }
    runs.add(points.size(), std::move(run));
    points.push_back(point);
  };
  const auto add_all = [&](MemoryUse what, bool one_sm) {
    for (unsigned blocks = 1; blocks < most; blocks *= 2) add({what, blocks, 1, one_sm});
    add({what, most, 1, one_sm});
    add({what, most, kInFlight, one_sm});
  };
  add_all(MemoryUse::kHits, true);
  add_all(MemoryUse::kHits, false);
  add_all(MemoryUse::kReads, false);
  add({MemoryUse::kMixed, most, kInFlight, false});
  add({MemoryUse::kWrites, most, kInFlight, false});
  RunSet<unsigned, DurationRun> turns;  // by the warps of a sub-core that are ready
  const unsigned of_sub_core =
      std::min(kMostReady,
               std::min(1024u / static_cast<unsigned>(kWarpSize), warps - config.sm.sub_cores) / config.sm.sub_cores);
  for (unsigned ready = 0; ready <= of_sub_core; ready = ready == 0 ? 1 : ready * 2) {
    DurationRun run;
    run.config = measuring(config, 1, 1);
    run.kernels = {waking_kernel(config.sm)};
    run.blocks = {1};
    run.one_sm = true;
    if (ready > 0) {
      run.kernels.push_back(ready_kernel(config.sm, ready));
      run.blocks.push_back(1);
    }
    turns.add(ready, std::move(run));
  }
  runs.run(options);
  turns.run(options);

  MemoryCapacities memory;
  const auto cycles_of = [](const MeasuredBlocks& blocks) { return blocks.later > 0 ? blocks.later : blocks.first; };
  const Cycle undisturbed = cycles_of(turns.result(0).front());
  for (const unsigned ready : turns.keys()) {
    const Cycle cycles = cycles_of(turns.result(ready).front());
    if (ready > 0) memory.turns.push_back({ready, (cycles - std::min(cycles, undisturbed)) / kWakes});
  }
  const Cycle way = config.sm.l1.hit_latency + config.sm.l1.fill_latency;  // latency within the SM
  const auto put = [](LatencyCurve& curve, std::uint64_t load, Cycle latency) {
    auto& list = curve.points;
    if (!list.empty()) latency = std::max(latency, list.back().latency);
    if (list.empty() || load > list.back().load) list.push_back({std::max<std::uint64_t>(1, load), latency});
  };
  std::vector<Cycle> of_one;  // latencies by number in flight
  std::size_t among = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const MemoryPoint& point = points[i];
    const MeasuredBlocks measured = runs.result(i).front();
    const Cycle cycles = cycles_of(measured);
    const Cycle latency = measured.later > 0 ? measured.latency_of_later : measured.latency_of_first;
    const std::uint64_t sms = point.one_sm ? 1 : config.sms, sectors = measured.requests * kSectorsOfLine;
    const std::uint64_t load = sms * point.blocks * sectors * 1000 / cycles;
    const auto more = [=](Cycle than) { return latency - std::min(latency, than); };
    if (point.one_sm) {
      put(memory.port, load, way + latency);
      of_one.push_back(latency);
    } else if (point.what == MemoryUse::kHits) {
      put(memory.l2, load, more(of_one[among++]));
    } else if (point.what == MemoryUse::kReads) {
      put(memory.dram, load, more(of_one.front()));
    } else {
      (point.what == MemoryUse::kMixed ? memory.mixed : memory.written) = std::max<std::uint64_t>(1, load);
    }
  }
  for (LatencyCurve* const curve : {&memory.port, &memory.l2, &memory.dram}) {
    if (curve->points.size() == 1) curve->points.insert(curve->points.begin(), {1, curve->points.front().latency});
  }
  return memory;
}

}  // namespace gputlm
