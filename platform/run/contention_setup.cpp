#include "platform/run/contention_setup.h"

#include <algorithm>
#include <set>

#include "models/kernel/program_kernel.h"
#include "models/sm/blocks/spin.h"
#include "models/sm/sm_model.h"
#include "models/work_distributor/resources.h"
#include "platform/input/durations_file.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

ContentionSolver::Memory memory_of(const GpuConfig& config, const DurationTable& tables) {
  const auto parameters = deciding_parameters(config);
  const auto fits = [&](const DurationTable& table) { return table.memory && table.gpu == parameters; };
  const auto sectors = static_cast<double>(config.l2.enabled ? config.l2.bytes / kSectorBytes : 1);
  // A controller orders this many bursts, and the accesses of at most one line wait in front of it.
  const double waiting =
      config.dram.channels * (config.dram.queue + config.dram.write_queue + config.dram.input_queue * kSectorsOfLine);
  if (fits(tables)) return {*tables.memory, sectors, waiting};
  const auto other = std::find_if(tables.others.begin(), tables.others.end(), fits);
  if (other != tables.others.end()) return {*other->memory, sectors, waiting};
  throw InputError(
      "kernels have demands, for which sm.model=" + config.sm.model +
      " needs the memory's capacities; found none for this GPU in sm.durations ('gputlm calibrate' measures them)");
}

SmCapacities capacities(const SmConfig& sm) {
  SmCapacities has;
  has.sub_cores = has.issue = sm.sub_cores;
  const auto set = [&](Pipe pipe, const PipeConfig& config) {
    has.pipe[static_cast<std::size_t>(pipe)] = static_cast<double>(sm.sub_cores) / config.interval;
  };
  set(Pipe::kFp32, sm.fp32);
  set(Pipe::kInt, sm.integer);
  set(Pipe::kFp64, sm.fp64);
  set(Pipe::kSfu, sm.sfu);
  set(Pipe::kTensor, sm.tensor);
  set(Pipe::kLoadStore, sm.load_store);
  set(Pipe::kControl, sm.control);
  has.l1_sectors = kSectorsOfLine;
  has.one_array = sm.l1.banked;
  has.misses = sm.l1.mshrs;
  return has;
}

}  // namespace

bool has_demand(const LaunchCommand& launch) { return launch.kernel->demand && only_spins(*launch.kernel); }

bool has_demands(const GpuConfig& config, const Workload& workload) {
  return sm_models().at(config.sm.model).has(Property::kHeedsDemands) &&
         std::any_of(workload.launches.begin(), workload.launches.end(), has_demand);
}

std::optional<ContentionSetup> contention_setup(const GpuConfig& gpu, const GpuConfig& part, const Workload& workload,
                                                const DurationTable& tables) {
  if (!has_demands(part, workload)) return std::nullopt;
  ContentionSetup setup;
  setup.memory = memory_of(part, tables);
  setup.alone = memory_of(gpu, tables);
  setup.sm = capacities(part.sm);
  const Clock clock = Clock::from_mhz(gpu.core_mhz);
  BlockWorkReader reader;
  std::set<const Kernel*> met;
  for (const LaunchCommand& launch : workload.launches) {
    Kernel& kernel = *launch.kernel;
    if (!met.insert(&kernel).second || !has_demand(launch)) continue;
    const std::uint32_t warps = kernel.warps_per_block();
    const BlockWork work = reader.read(*kernel.code(0), warps, 0);
    const Cycle cycles = end_of_spin(work, 0, 0, clock) + cycles_of_exit(warps, gpu.sm);
    const unsigned of_sm =
        std::max(1u, residency(block_demand(kernel, gpu.sm, gpu.work_distributor), capacity(gpu.sm)));
    const std::uint64_t blocks = kernel.blocks(), places = std::uint64_t{of_sm} * gpu.sms,
                        waves = (blocks + places - 1) / places;
    // Mean over the kernel's waves. The kernel then takes the measured time, whether memory or its own work is the bottleneck.
    const double at_once = static_cast<double>(blocks) / static_cast<double>(waves);
    BlockNeeds needs = needs_of(*kernel.demand, kernel, static_cast<double>(cycles), at_once,
                                static_cast<double>(std::min<std::uint64_t>(blocks, gpu.sms)), setup.alone.l2_sectors);
    if (gpu.sm.fp_int_shared) {
      double& integer = needs.of_pipe[static_cast<std::size_t>(Pipe::kInt)];
      needs.of_pipe[static_cast<std::size_t>(Pipe::kFp32)] += integer;
      integer = 0;
    }
    setup.kernels.emplace_back(&kernel, needs);
  }
  return setup;
}

}  // namespace gputlm
