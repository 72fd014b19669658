/// Pairs of ERCBench kernels on gtx480 under a kernel order (srtf, section 6.1.3), and the metrics of section 6.1.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "platform/experiments/srtf/ercbench.h"
#include "platform/lab/experiment.h"
#include "platform/lab/runs.h"
#include "platform/lab/sweep.h"

namespace gputlm {

/// Two kernels, in the order of their launches: indices into ercbench().
using SrtfPair = std::array<std::size_t, 2>;

/// "kernel arrivals that are staggered by upto 100 cycles" (section 6.1.3).
inline constexpr Cycle kSrtfApart = 100;

/// Blocks that are sent in a cycle, each to another SM. The paper does not say; its "functional thread block scheduler"
/// (section 6.1.2) is its own. With one, kernels of eight blocks an SM leave room on all 15 SMs when the second kernel
/// comes, 100 cycles later, so that under MPMax it "does not experience hand-off delay" (section 6.2.3). GPGPU-Sim itself
/// sends one to every SM in each cycle (simt_core_cluster::issue_block2core), as the preset does, and has filled the GPU
/// after eight: the other reading, in srtf/dispatch.
inline constexpr unsigned kSrtfDispatchWidth = 1;

struct SrtfRun {
  SrtfPair pair{};
  std::string order;         ///< kernel order
  Cycle apart = kSrtfApart;  ///< the second arrives so long after the first
  bool predictions = false;  ///< are kept
};

/// What the pair did. A turnaround is from the kernel's arrival at the work distributor to the end of its last block.
struct SrtfOutcome {
  std::array<Cycle, 2> alone{}, turnaround{};
  std::array<LaunchOutcome, 2> launches;
  double slowdown(std::size_t k) const;
  double stp() const;      ///< system throughput: sum of alone over shared; higher is better
  double antt() const;     ///< average normalized turnaround time: mean slowdown; lower is better
  double strictf() const;  ///< smallest over largest slowdown; 1 is fair
};

/// Runs of these kernels. With `quick`, grids are cut to 960 blocks: eight for each place of an SM that takes eight.
class SrtfRuns {
 public:
  /// Runs every one of `kernels` alone.
  SrtfRuns(std::vector<std::size_t> kernels, ExperimentOptions options, unsigned dispatch_width = kSrtfDispatchWidth);

  const std::vector<std::size_t>& kernels() const { return kernels_; }
  /// Of the run alone.
  const LaunchOutcome& alone(std::size_t kernel) const { return alone_[kernel]; }
  Cycle alone_cycles(std::size_t kernel) const { return alone_[kernel].end - alone_[kernel].arrived; }
  /// Every two different kernels, in the order of the names.
  std::vector<SrtfPair> pairs() const;

  /// A run that has been added before is the same one. Kernels have their runtimes alone with them, for the orders that
  /// are oracles.
  void add(const SrtfRun& run);
  /// Carries out what has been added.
  void run() { sweep_.run(options_.jobs()); }
  SrtfOutcome operator[](const SrtfRun& run) const;
  const GpuConfig& config(const SrtfRun& run) const { return sweep_.request(run).config; }

 private:
  GpuConfig gpu(const std::string& order) const;
  std::shared_ptr<Kernel> kernel(std::size_t index, unsigned instance) const;

  std::vector<std::size_t> kernels_;
  ExperimentOptions options_;
  unsigned dispatch_width_;
  std::array<LaunchOutcome, 8> alone_;  ///< by index into ercbench()
  Sweep<SrtfRun> sweep_;
};

/// Kernels of an experiment: all eight; with `quick` JPEG-d, AES-e, Ray and SAD, which differ in everything but do not
/// last as long as SHA1.
std::vector<std::size_t> srtf_kernels(const ExperimentOptions& options);

/// "AES-d+SHA1".
std::string name_of(const SrtfPair& pair);

}  // namespace gputlm
