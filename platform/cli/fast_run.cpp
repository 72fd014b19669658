#include "platform/cli/fast_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/sm/sm_model.h"
#include "platform/cli/many_runs.h"
#include "platform/input/durations_file.h"
#include "platform/lab/calibration.h"
#include "platform/run/check_fits.h"
#include "platform/run/contention_setup.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

/// Turnarounds of kernels in random mixes of gputlm reproduce blocks/error, and blocks/error-requests in its quick form,
/// against SMs that run warps: mean and 95th percentile, per cent (docs/blocks.md).
constexpr const char* kErrorOfClosedForm = "3.8 % off on average, one in twenty by 15.5 % or more";
constexpr const char* kErrorWithRequests = "5.8 % off on average, one in twenty by 21.9 % or more";

/// Of kernels whose blocks are too long to be measured: docs/blocks.md, "Measurement", seven of them.
std::string error_of_cut(const DurationTable& table) {
  std::string names;
  const auto add = [&](const DurationTable& one) {
    for (const KernelDurations& kernel : one.kernels) {
      if (kernel.cut) names += (names.empty() ? "" : ", ") + kernel.name;
    }
  };
  add(table);
  std::for_each(table.others.begin(), table.others.end(), add);
  if (names.empty()) return "";
  return "; measured by shorter blocks, up to 10 % further off, and more where caches fill slowly: " + names;
}

}  // namespace

FastRun prepare_fast_run(LoadedInput& loaded, std::uint64_t seed) {
  GpuConfig& config = loaded.config;
  const Workload& workload = loaded.input.workload;
  const auto model = [&]() -> const PolicyInfo& { return sm_models().at(config.sm.model); };
  if (!model().has(Property::kNeedsDurations)) {
    throw InputError(fmt::format("--fast: found sm.model={}, allowed: {}", config.sm.model,
                                 SmConfig().model == config.sm.model ? "blocks, blocks_requests" : "blocks"));
  }
  check_fits(config, workload);
  const auto spins = [](const LaunchCommand& launch) { return only_spins(*launch.kernel); };
  const bool only_spins = std::all_of(workload.launches.begin(), workload.launches.end(), spins);
  const bool demands = has_demands(config, workload);
  if (only_spins && !demands) return {nullptr, kExactForSpins};
  const std::string error = model().has(Property::kSendsRequests) ? kErrorWithRequests : kErrorOfClosedForm;
  const std::string expect = only_spins ? "" : "expect kernels to be " + error + " (docs/blocks.md says where more)";
  if (config.sm.durations != "none") return {nullptr, "durations of " + config.sm.durations, expect};

  ManyRuns runs;
  runs.begin();
  runs.name("durations of blocks");
  JobOptions options;
  runs.set(options);
  std::shared_ptr<const DurationTable> table;
  prepare({{config, table, [&] { return workload; }}}, options);
  const std::string made = runs.end();
  if (!table) return {nullptr, "addresses are translated (mmu.enabled), which SMs that run blocks do not"};
  auto seeded = std::make_shared<DurationTable>(*table);
  seeded->seed = seed;
  const std::string how =
      only_spins ? "kernels have demands; what the memory has was measured with SMs that run warps; " + made
                 : fmt::format("durations of blocks measured: kernels {}, pairs of kernels {}; {}",
                               table->all_kernels(), table->all_pairs(), made);
  return {seeded, how, expect + error_of_cut(*table)};
}

}  // namespace gputlm
