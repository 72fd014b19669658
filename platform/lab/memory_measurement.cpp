#include "platform/lab/memory_measurement.h"

#include <algorithm>
#include <vector>

#include "models/kernel/program_kernel.h"
#include "platform/lab/block_measurements.h"
#include "platform/lab/duration_run.h"
#include "platform/lab/sweep.h"

namespace gputlm {
namespace {

constexpr unsigned kThreads = 256, kWidth = 8;
constexpr Bytes kBytesOfLoad = kWarpSize * kWidth, kSectorsOfLoad = kBytesOfLoad / kSectorBytes;
constexpr unsigned kInFlight = 4;  ///< loads of a warp at once, where the memory is to be full
constexpr std::uint32_t kPasses = 8;
/// MemoryUse is read from DRAM is this many times as much as the L2 holds, what is read from the L2 that part of it.
constexpr Bytes kBeyond = 4, kWithin = 4;

enum class MemoryUse : std::uint8_t { kHits, kReads, kMixed, kWrites };

struct MemoryPoint {
  MemoryUse what = MemoryUse::kHits;
  unsigned blocks = 1;     ///< on an SM
  unsigned in_flight = 1;  ///< loads of a warp
  bool one_sm = false;
};

/// Blocks that each access memory of their own; those of kHits together a part of the L2.
std::shared_ptr<Kernel> kernel_of(const MemoryPoint& point, Bytes l2) {
  constexpr Bytes of_block = kThreads / kWarpSize * kPasses * kBytesOfLoad;
  ProgramSpec spec;
  spec.name = "memory";
  spec.block = {kThreads};
  spec.registers_per_thread = 32;
  const Bytes all = point.what == MemoryUse::kHits ? l2 / kWithin : l2 * kBeyond;
  const Bytes each = of_block * point.in_flight;
  spec.grid = {static_cast<std::uint32_t>(std::max<Bytes>(1, all / each))};
  AffinePattern pattern;
  pattern.lane_stride = kWidth;
  pattern.iteration_stride = kBytesOfLoad * point.in_flight;
  pattern.warp_stride = pattern.iteration_stride * kPasses;
  pattern.block_stride = static_cast<std::int64_t>(each);
  std::vector<ProgramElement> body;
  const bool stores = point.what == MemoryUse::kMixed || point.what == MemoryUse::kWrites;
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
  spec.body = {loop(kPasses, std::move(body))};
  return std::make_shared<ProgramKernel>(spec, 1);
}

}  // namespace

MemoryCapacities measure_memory(const GpuConfig& config, const JobOptions& options) {
  Sweep<std::size_t, DurationRun> sweep;
  std::vector<MemoryPoint> points;
  const unsigned warps = std::min(config.sm.warps, config.sm.threads / static_cast<unsigned>(kWarpSize));
  const unsigned most = std::max(1u, std::min({warps / (kThreads / static_cast<unsigned>(kWarpSize)), config.sm.blocks,
                                               config.sm.registers / (kThreads * 32)}));
  const auto add = [&](const MemoryPoint& point) {
    DurationRun run;
    run.config = measuring(config, point.blocks, 1);
    run.kernels = {kernel_of(point, config.l2.enabled ? config.l2.bytes : Bytes{1} << 20)};
    run.blocks = {point.blocks};
    run.one_sm = point.one_sm;
    sweep.add(points.size(), std::move(run));
    points.push_back(point);
  };
  for (const MemoryUse what : {MemoryUse::kHits, MemoryUse::kReads}) {
    for (unsigned blocks = 1; blocks < most; blocks *= 2) add({what, blocks, 1, false});
    add({what, most, 1, false});
    add({what, most, kInFlight, false});
  }
  add({MemoryUse::kMixed, most, kInFlight, false});
  add({MemoryUse::kWrites, most, kInFlight, false});
  add({MemoryUse::kHits, most, kInFlight, true});
  sweep.run(options);

  MemoryCapacities memory;
  const Cycle way = config.sm.l1.hit_latency + config.sm.l1.fill_latency;  // in the SM
  const auto put = [](LatencyCurve& curve, std::uint64_t load, Cycle latency) {
    auto& list = curve.points;
    if (!list.empty()) latency = std::max(latency, list.back().latency);
    if (list.empty() || load > list.back().load) list.push_back({std::max<std::uint64_t>(1, load), latency});
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const MemoryPoint& point = points[i];
    const MeasuredBlocks measured = sweep.result(i).front();
    const Cycle cycles = measured.later > 0 ? measured.later : measured.first;
    const Cycle latency = measured.later > 0 ? measured.latency_of_later : measured.latency_of_first;
    const std::uint64_t sms = point.one_sm ? 1 : config.sms, sectors = measured.requests * kSectorsOfLine;
    const std::uint64_t load = sms * point.blocks * sectors * 1000 / cycles;
    if (point.one_sm) {
      memory.sm_port = std::max<std::uint64_t>(1, load);
    } else if (point.what == MemoryUse::kHits) {
      put(memory.l2, load, way + latency);
    } else if (point.what == MemoryUse::kReads) {
      const Cycle hit = memory.l2.points.front().latency - way;
      put(memory.dram, load, latency > hit ? latency - hit : 1);
    } else {
      (point.what == MemoryUse::kMixed ? memory.mixed : memory.written) = std::max<std::uint64_t>(1, load);
    }
  }
  for (LatencyCurve* const curve : {&memory.l2, &memory.dram}) {
    if (curve->points.size() == 1) curve->points.insert(curve->points.begin(), {1, curve->points.front().latency});
  }
  return memory;
}

}  // namespace gputlm
