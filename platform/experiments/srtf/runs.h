/// Pairs of ERCBench kernels on gtx480 under a kernel order (srtf, section 6.1.3), and the metrics of section 6.1.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/kernel/kernel.h"
#include "models/kernel/program.h"
#include "platform/input/preset.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "tlm/base/time.h"

namespace gputlm {

// The eight ERCBench kernels of srtf (tables 2 and 3, reference.yaml), compiled in: workloads/ercbench/*.yaml.

struct ErcbenchKernel {
  std::string name;        ///< name in the paper's tables
  std::string short_name;  ///< name in our tables
  std::string file;        ///< name of the file workloads/ercbench/FILE.yaml
  unsigned residency;      ///< maximum number of blocks per SM (table 2)
  unsigned threads;        ///< threads per block (table 2)
  std::uint64_t blocks;    ///< blocks of the grid (table 2)
  Cycle runtime;           ///< runtime alone on the simulator (table 3)
  Cycle mean_t;            ///< mean duration of a block (table 3)
  double rsd_percent;      ///< its relative standard deviation (table 3)
};

/// In the order of the tables, which is alphabetical.
const std::array<ErcbenchKernel, 8>& ercbench();

/// The programs, by name. Generated from workloads/ercbench/*.yaml by cmake/EmbedPresets.cmake.
const std::vector<PresetSource>& ercbench_sources();

/// Index into ercbench() of the kernel with this short name. Throws InputError if there is none.
std::size_t ercbench_index(const std::string& short_name);

/// `most_blocks`: maximum size of the grid; 0: no limit. `instance`: each has memory of its own.
ProgramSpec ercbench_program(const ErcbenchKernel& kernel, std::uint64_t most_blocks = 0, unsigned instance = 0);
std::shared_ptr<Kernel> ercbench_kernel(const ErcbenchKernel& kernel, std::uint64_t seed, std::uint64_t most_blocks = 0,
                                        unsigned instance = 0);

/// Two kernels, in the order of their launches: indices into ercbench().
using SrtfPair = std::array<std::size_t, 2>;

/// "kernel arrivals that are staggered by upto 100 cycles" (section 6.1.3).
inline constexpr Cycle kSrtfApart = 100;

/// Blocks sent per cycle, each to another SM. The paper does not state it; its "functional thread block scheduler" (section
/// 6.1.2) is not a standard one. With one, kernels of eight blocks per SM leave space on all 15 SMs when the second kernel
/// arrives 100 cycles later, so that under MPMax it "does not experience hand-off delay" (section 6.2.3). GPGPU-Sim itself
/// sends one block to every SM in each cycle (simt_core_cluster::issue_block2core), as the preset does, and fills the GPU in
/// eight cycles: srtf/dispatch uses this reading.
inline constexpr unsigned kSrtfDispatchWidth = 1;

struct SrtfRun {
  SrtfPair pair{};
  std::string order;         ///< kernel order
  Cycle apart = kSrtfApart;  ///< the second kernel arrives this much later
  bool predictions = false;  ///< keep predictions
};

/// The outcome of a pair. A turnaround is the time from the kernel's arrival at the work distributor to the end of its last
/// block.
struct SrtfOutcome {
  std::array<Cycle, 2> alone{}, turnaround{};
  std::array<LaunchOutcome, 2> launches;
  double slowdown(std::size_t k) const;
  double stp() const;      ///< system throughput: sum of alone over shared; higher is better
  double antt() const;     ///< average normalized turnaround time: mean slowdown; lower is better
  double strictf() const;  ///< smallest over largest slowdown; 1 is fair
};

/// Runs of these kernels. With `quick`, grids are limited to 960 blocks: eight for each slot of an SM with eight slots.
class SrtfRuns {
 public:
  /// Runs every one of `kernels` alone.
  SrtfRuns(std::vector<std::size_t> kernels, ExperimentOptions options, unsigned dispatch_width = kSrtfDispatchWidth);

  const std::vector<std::size_t>& kernels() const { return kernels_; }
  /// The outcome of the kernel alone.
  const LaunchOutcome& alone(std::size_t kernel) const { return alone_[kernel]; }
  Cycle alone_cycles(std::size_t kernel) const { return alone_[kernel].end - alone_[kernel].arrived; }
  /// All pairs of different kernels, in alphabetical order.
  std::vector<SrtfPair> pairs() const;

  /// A repeated run counts once. Kernels carry their runtimes alone, for kernel orders that are oracles.
  void add(const SrtfRun& run);
  /// Carries out what has been added.
  void run() { runs_.run(options_.jobs()); }
  SrtfOutcome operator[](const SrtfRun& run) const;
  const GpuConfig& config(const SrtfRun& run) const { return runs_.request(run).config; }

 private:
  GpuConfig gpu(const std::string& order) const;
  std::shared_ptr<Kernel> kernel(std::size_t index, unsigned instance) const;

  std::vector<std::size_t> kernels_;
  ExperimentOptions options_;
  unsigned dispatch_width_;
  std::array<LaunchOutcome, 8> alone_;  ///< outcomes alone, indexed as ercbench()
  RunSet<SrtfRun> runs_;
};

/// Kernels of an experiment: all eight; with `quick` JPEG-d, AES-e, Ray and SAD, which differ in every respect but are not as
/// long as SHA1.
std::vector<std::size_t> srtf_kernels(const ExperimentOptions& options);
/// The kernels of a plan.
std::vector<std::size_t> srtf_kernels(const Study& plan);

/// "AES-d+SHA1".
std::string name_of(const SrtfPair& pair);

// Block durations of an ERCBench kernel on gtx480, by residency and co-runners (srtf, sections 3.4.3 and 3.4.4).

/// Kernels are indices into ercbench(). Co-runners have enough blocks to last until the kernel ends.
struct ResidencyRun {
  std::size_t kernel = 0;
  unsigned residency = 1;  ///< blocks on each SM
  std::size_t co_runner = 0;
  unsigned co_residency = 0;  ///< blocks of the co-runner on each SM; 0: the kernel runs alone
};

struct ResidencyOutcome {
  double mean_t = 0;  ///< mean duration of the kernel's blocks, in cycles
  Cycle runtime = 0;  ///< runtime of the kernel, in cycles
  bool held = false;  ///< at its fullest, every SM held exactly the given number of blocks of either kernel
};

/// Residency is limited as in the paper, by additional shared memory per block. Alone, a kernel has four times as many blocks
/// as the GPU can hold, at every residency; beside others three times as many as it holds at that residency; with `quick`
/// twice as many. Blocks of SHA1, which last millions of cycles, hash 5 (beside others 15) of their 76 times 64 bytes.
class ResidencyRuns {
 public:
  explicit ResidencyRuns(ExperimentOptions options) : options_(std::move(options)) {}
  void add(const ResidencyRun& run);
  /// Carries out what has been added.
  void run() { runs_.run(options_.jobs()); }
  /// Throws std::runtime_error if a co-runner ran out of blocks too soon.
  ResidencyOutcome operator[](const ResidencyRun& run) const;

 private:
  ExperimentOptions options_;
  RunSet<ResidencyRun> runs_;
};

}  // namespace gputlm
