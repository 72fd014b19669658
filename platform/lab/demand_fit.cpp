#include "platform/lab/demand_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "models/kernel/program_kernel.h"
#include "platform/input/durations_file.h"
#include "platform/lab/demand_program.h"
#include "platform/lab/demand_run.h"
#include "tlm/base/bytes.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

constexpr double kCloseEnough = 0.02, kMissed = 0.05;
constexpr unsigned kRounds = 10;
constexpr Address kFirstAddress = Address{1} << 44;  // above all other addresses
constexpr std::uint64_t kSeed = 1;                   // these programs have no randomness

/// A kernel for which `hidden` is sought, between a value that is too slow and one that is too fast.
struct Sought {
  LaunchCommand launch;
  FittedKernel fitted;
  DemandProgram program;
  double least, most;                ///< values of `hidden`
  double longest = 0, shortest = 0;  ///< times for these values in us; 0: not known yet
  double next = 0;
  double error = INFINITY;
  bool found = false;

  double target() const { return *fitted.asked.duration_us; }

  /// Takes the result for `next`.
  void learn(const KernelDemand& has) {
    const double took = *has.duration_us, off = std::abs(std::log(took / target()));
    if (off < error) {
      error = off;
      fitted.has = has;
      fitted.hidden = next;
    }
    if (took > target()) {
      least = next;
      longest = took;
    } else {
      most = next;
      shortest = took;
    }
    choose(took);
  }

 private:
  void choose(double took) {
    const bool beyond = (next >= program.most_hidden() && took > target()) ||
                        (next <= DemandProgram::least_hidden() && took < target());
    found = beyond || error < kCloseEnough || most - least < 0.02;
    if (found) return;
    if (longest == 0) {
      next = DemandProgram::least_hidden();
    } else if (shortest == 0) {
      next = program.most_hidden();
    } else {
      // Times are inversely proportional to what is hidden: interpolate, but stay away from both ends.
      const double share = (1 / target() - 1 / longest) / (1 / shortest - 1 / longest);
      next = least + (most - least) * std::clamp(share, 0.15, 0.85);
    }
  }
};

std::string identity(const Kernel& kernel) {
  return fmt::format("{}\n{}\n{}\n{} {}\n{}", kernel.name, to_text(kernel.grid), to_text(kernel.block),
                     kernel.registers_per_thread, kernel.shared_memory, bytes_of("demand", *kernel.demand));
}

ProgramSpec shape_of(const Kernel& kernel) {
  ProgramSpec spec;
  spec.name = kernel.name;
  spec.grid = kernel.grid;
  spec.block = kernel.block;
  spec.registers_per_thread = kernel.registers_per_thread;
  spec.shared_memory = kernel.shared_memory;
  spec.cluster = kernel.cluster;
  spec.non_portable_cluster = kernel.non_portable_cluster;
  return spec;
}

/// The GPU at the clock of the kernel's measurement.
GpuConfig measured_gpu(GpuConfig gpu, const KernelDemand& demand) {
  gpu.sm.model = "warps";
  if (demand.sm_mhz) gpu.core_mhz = *demand.sm_mhz;
  return gpu;
}

}  // namespace

std::vector<std::string> FittedKernel::missed() const {
  std::vector<std::string> all;
  for_each_count([&](const char* count, auto of) {
    const KernelDemand::Count &wanted = of(asked), &got = of(has);
    if (!wanted || !got || !profilers_have(count)) return;
    // For a share, in points: a hit rate of 0.01 is close to 0.02.
    if (std::abs(*got - *wanted) > kMissed * (of.share ? 1 : *wanted))
      all.push_back(fmt::format("{} {:.4g} for {:.4g}", count, *got, *wanted));
  });
  return all;
}

FittedDemands fit_demands(Workload& workload, const GpuConfig& gpu, const JobOptions& options) {
  std::vector<Sought> sought;
  std::map<std::string, std::size_t> known;
  std::vector<std::string> kept;
  Address base = kFirstAddress;
  for (const LaunchCommand& launch : workload.launches) {
    const Kernel& kernel = *launch.kernel;
    if (!kernel.demand || !kernel.demand->duration_us) continue;
    if (!only_spins(*launch.kernel)) {
      if (std::find(kept.begin(), kept.end(), kernel.name) == kept.end()) kept.push_back(kernel.name);
      continue;
    }
    if (!known.emplace(identity(kernel), sought.size()).second) continue;
    DemandProgram program(shape_of(kernel), *kernel.demand, measured_gpu(gpu, *kernel.demand), base);
    base = program.end();
    const double most = program.most_hidden();
    sought.push_back({launch,
                      {kernel.name, *kernel.demand, {}, 0},
                      std::move(program),
                      DemandProgram::least_hidden(),
                      most,
                      0,
                      0,
                      most});
  }
  if (sought.empty())
    throw InputError(
        "no kernel that only spins has a demand with a duration; allowed: --profile FILE, or demand: of kernels");
  for (unsigned round = 0; round < kRounds; ++round) {
    std::vector<Sought*> tried;
    std::vector<DemandRun> runs;
    for (Sought& s : sought) {
      if (s.found) continue;
      tried.push_back(&s);
      s.launch.kernel = std::make_shared<ProgramKernel>(s.program.program(s.next), kSeed);
      runs.push_back({measured_gpu(gpu, s.fitted.asked), s.launch});
    }
    if (runs.empty()) break;
    std::vector<Job> jobs;
    for (const DemandRun& run : runs) jobs.push_back(run.job());
    const std::vector<std::string> results = carry_out(jobs, options);
    for (std::size_t i = 0; i < tried.size(); ++i) tried[i]->learn(DemandRun::result(results[i]));
  }
  std::vector<std::shared_ptr<Kernel>> kernels;
  for (const Sought& s : sought)
    kernels.push_back(std::make_shared<ProgramKernel>(s.program.program(s.fitted.hidden), kSeed));
  for (LaunchCommand& launch : workload.launches) {
    if (!launch.kernel->demand || !only_spins(*launch.kernel)) continue;
    const auto fitted = known.find(identity(*launch.kernel));
    if (fitted != known.end()) launch.kernel = kernels[fitted->second];
  }
  workload.settings.erase(std::remove_if(workload.settings.begin(), workload.settings.end(),
                                         [](const std::string& setting) { return setting.rfind("sm.model=", 0) == 0; }),
                          workload.settings.end());
  FittedDemands all{{}, std::move(kept)};
  for (Sought& s : sought) all.kernels.push_back(std::move(s.fitted));
  return all;
}

}  // namespace gputlm
