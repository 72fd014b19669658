#include "platform/lab/demand_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "models/host/workload_text.h"
#include "models/kernel/shared_work.h"
#include "models/l2/slice.h"
#include "models/sm/sm_model.h"
#include "platform/files/json_text.h"
#include "platform/input/parameters.h"
#include "platform/lab/experiment_runs.h"
#include "platform/run/check_fits.h"
#include "platform/run/gpu.h"
#include "tlm/base/bytes.h"
#include "tlm/base/digest.h"

namespace gputlm {
namespace {

constexpr const char* kDemandBytes = "gputlm demand";

using PipeCounts = std::array<std::uint64_t, kPipes>;

/// Adds the instructions of a warp's code, including loops.
void add_warp(const WarpCode& warp, const BlockCode& code, std::vector<PipeCounts>& before, PipeCounts& all) {
  before.resize(warp.length);
  PipeCounts sum{};
  for (std::uint32_t i = 0; i < warp.length; ++i) {
    const Instruction& in = warp.code[i];
    before[i] = sum;
    if (in.op == Op::kLoopEnd) {
      const LoopInfo loop = code.loop(in.operand);
      for (std::size_t pipe = 0; pipe < kPipes; ++pipe)
        sum[pipe] += (loop.iterations - 1) * (sum[pipe] - before[loop.start][pipe]);
    } else {
      ++sum[static_cast<std::size_t>(in.pipe)];
    }
  }
  for (std::size_t pipe = 0; pipe < kPipes; ++pipe) all[pipe] += sum[pipe];
}

/// Statistics of sectors that L2 slices have served.
struct ServedSectors {
  std::uint64_t reads = 0, writes = 0, hits = 0;
  struct Line {
    std::uint8_t reused = 0;  ///< sectors that have hit, one bit each
    Cycle last = 0;           ///< time of the last access
  };
  std::unordered_map<Address, Line> lines;
  Cycle between = 0;  ///< time between reads that hit and the previous access, summed over sectors
  std::uint64_t read_hits = 0;

  void access(const L2Served& a) {
    (a.write || a.atomic ? writes : reads) += a.sectors;
    Line& line = lines[a.address / kLineBytes];
    if (a.hit) hits += a.sectors;
    if (a.hit && !a.write) {
      const auto first = static_cast<unsigned>(a.address % kLineBytes / kSectorBytes);
      line.reused |= static_cast<std::uint8_t>(((1u << a.sectors) - 1) << first);
      between += (a.at - std::min(a.at, line.last)) * a.sectors;
      read_hits += a.sectors;
    }
    line.last = std::max(line.last, a.at);
  }
  std::uint64_t reused_sectors() const {
    std::uint64_t all = 0;
    for (const auto& [address, line] : lines) all += std::bitset<8>(line.reused).count();
    return all;
  }
};

Workload one_launch(const DemandRun& run) {
  Workload workload = workload_of_streams(1);
  const std::size_t id = launch(workload, 0, run.launch.kernel);
  workload.launches[id].cache_config = run.launch.cache_config;
  workload.launches[id].shared_percent = run.launch.shared_percent;
  workload.launches[id].budget = run.launch.budget;
  return workload;
}

/// Shorter to read, and as accurate as the measurement.
double rounded(double value) { return std::round(value * 1e6) / 1e6; }

KernelDemand measure_demand(const DemandRun& run, const Execution& execution) {
  Workload workload = one_launch(run);
  check_fits(run.config, workload);
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  Gpu gpu(run.config, workload, execution.window, false);
  gpu.assembly().set_threads(execution.threads);
  ServedSectors served;
  for (const std::unique_ptr<Unit>& unit : gpu.assembly().units()) {
    auto* const slice = dynamic_cast<L2Slice*>(unit.get());
    if (!slice) continue;
    slice->watch(slice->core().served, [&served](const L2Served& access) { served.access(access); });
  }
  Cycle of_blocks = 0;  // cycles of blocks from their starts to their ends
  WorkDistributor& distributor = *gpu.work_distributors().front();
  distributor.watch(distributor.core().blocks_ended,
                    [&of_blocks](const BlockEnded& block) { of_blocks += block.end - block.start; });
  std::optional<KernelLaunch> ended;
  gpu.host().watch(gpu.host().core().kernels_ended, [&ended](const KernelEnded& kernel) { ended = kernel.kernel; });
  const RunState state = gpu.assembly().run();
  if (state != RunState::kComplete || !ended)
    throw std::runtime_error(fmt::format("the run of {} ended {}", run.launch.kernel->name, to_string(state)));
  RunResult result;
  gpu.collect(result, Clock::from_mhz(run.config.core_mhz).at_or_before(gpu.assembly().end()));

  const BlockCounters& count = ended->counters;
  const auto sms = result.units.total<SmStatistics>();
  const auto l2 = result.units.total<L2Statistics>();
  const auto number = [](std::uint64_t value) { return static_cast<double>(value); };
  KernelDemand demand;
  // From the first block's start to the last block's end, plus the overheads of the GPU before and after it, as in profilers.
  const WorkDistributorConfig& latencies = run.config.work_distributor;
  const Cycle cycles =
      ended->end - ended->first_block + latencies.kernel_launch_latency + latencies.kernel_completion_latency;
  demand.sm_mhz = run.config.core_mhz;
  demand.duration_us = rounded(number(cycles) / run.config.core_mhz);
  demand.instructions = number(count.instructions);
  if (const auto pipes = instructions_by_pipe(*run.launch.kernel)) demand.of_pipe = *pipes;
  demand.shared_wavefronts = number(count.shared_accesses + count.shared_conflict_cycles);
  // Loads look up the L1; stores and atomics pass through it to the L2, once each.
  const std::uint64_t l1_sectors = count.l1_sector_hits + count.l1_sector_misses + served.writes;
  demand.l1_sectors = number(l1_sectors);
  demand.l1_hit_rate = l1_sectors == 0 ? 0 : rounded(number(count.l1_sector_hits) / number(l1_sectors));
  demand.l2_read_sectors = number(served.reads);
  demand.l2_write_sectors = number(served.writes);
  const std::uint64_t l2_sectors = served.reads + served.writes;
  demand.l2_hit_rate = l2_sectors == 0 ? 0 : rounded(number(served.hits) / number(l2_sectors));
  demand.l2_reused_sectors = number(served.reused_sectors());
  if (served.read_hits > 0)
    demand.l2_reuse_us = rounded(number(served.between) / number(served.read_hits) / run.config.core_mhz);
  demand.dram_read_bytes = number(l2.fill_sectors * kSectorBytes);
  demand.dram_write_bytes = number(l2.write_back_sectors * kSectorBytes);
  const double warps = number(of_blocks) * run.launch.kernel->warps_per_block();
  const double places = number(sms.active_cycles) * run.config.sm.warps;
  demand.warps_active = places > 0 ? rounded(std::min(1.0, warps / places)) : 0;
  // Little's law: throughput times latency, over the time of the blocks.
  const double of_a_request = count.memory_requests == 0 ? 0 : number(l2_sectors) / number(count.memory_requests);
  demand.sectors_in_flight =
      of_blocks == 0 ? 0 : rounded(number(count.memory_latency) * of_a_request / number(of_blocks));
  return demand;
}

}  // namespace

std::optional<PipeInstructions> instructions_by_pipe(Kernel& kernel) {
  PipeCounts all{};
  std::vector<PipeCounts> before;
  const std::uint64_t blocks = kernel.blocks_are_alike() ? 1 : kernel.blocks();
  for (std::uint64_t b = 0; b < blocks; ++b) {
    const auto code = kernel.code(b);
    if (dynamic_cast<const SharedWork*>(code.get())) return std::nullopt;
    for (std::uint32_t w = 0; w < kernel.warps_per_block(); ++w) add_warp(code->warp(w), *code, before, all);
  }
  kernel.rewind();
  PipeInstructions counts;
  const std::uint64_t times = kernel.blocks() / blocks;
  for (std::size_t pipe = 0; pipe < kPipes; ++pipe) counts[pipe] = static_cast<double>(all[pipe] * times);
  return counts;
}

Job DemandRun::job() const {
  const Workload workload = one_launch(*this);
  const std::string inputs = workload_text(workload);
  std::string id;
  if (!inputs.empty())
    id = digest(fmt::format("demand {} {} {}", program_digest(), digest(json_text(to_json(config))), inputs));
  return {std::move(id),
          [this](const Execution& execution) { return bytes_of(kDemandBytes, measure_demand(*this, execution)); },
          estimated_memory(config, workload)};
}

KernelDemand DemandRun::result(std::string_view bytes) { return from_bytes<KernelDemand>(kDemandBytes, bytes); }

}  // namespace gputlm
