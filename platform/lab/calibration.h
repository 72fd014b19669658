/// Measures durations of blocks with SMs that run warps, for SMs that run blocks (docs/blocks.md): of each kernel of some
/// workloads by residency, and of every pair that may meet on an SM by the residency of both.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "models/sm/blocks/table.h"
#include "platform/lab/jobs.h"

namespace gputlm {

class Calibration {
 public:
  /// `config`: the GPU, with any SM model. For a model that sends requests, one SM is measured on an idle memory
  /// (models/sm/blocks/table.h), else all SMs at once. `cut_above`: cost of a measurement, in warp instructions, above which
  /// it uses blocks with shortened loops (block_measurements.h).
  explicit Calibration(const GpuConfig& config, std::uint64_t cut_above = kCutAbove);
  static constexpr std::uint64_t kCutAbove = 1'000'000'000;  ///< cost that takes some minutes
  /// Adds the kernels of a workload, and the pairs that may run at once: those of different streams.
  void add(const Workload& workload);
  /// Requests the memory's capacities too, for kernels with a demand.
  void add_memory() { memory_ = true; }
  std::size_t kernels() const { return kernels_.size(); }
  std::size_t pairs() const { return pairs_.size(); }
  /// Measures what was added; runs are carried out as by carry_out().
  DurationTable measure(const JobOptions& options) const;

 private:
  /// Kernels with the same id may differ in the location of their memory. The one whose source comes first is measured, so
  /// that durations do not depend on the order of add().
  struct Measured {
    std::vector<std::shared_ptr<Kernel>> kernels;
    std::string source;
  };
  static void meet(Measured& known, std::vector<std::shared_ptr<Kernel>> kernels);
  unsigned most_blocks(const Kernel& kernel) const;

  GpuConfig config_;
  std::uint64_t cut_above_;
  bool requests_;                            ///< the SM model sends requests
  std::map<std::string, Measured> kernels_;  ///< kernels by id
  bool memory_ = false;                      ///< a kernel has a demand
  /// Pairs by both ids, the smaller one first. Two kernels that run at once each have their own memory.
  std::map<std::pair<std::string, std::string>, Measured> pairs_;
};

/// The durations that runs need; each table is measured once: one per GPU, or one per shape of its instances.
class CalibrationOfRuns {
 public:
  explicit CalibrationOfRuns(std::uint64_t cut_above = Calibration::kCutAbove) : cut_above_(cut_above) {}
  /// Returns the argument for table().
  std::size_t add(const GpuConfig& config, const Workload& workload);
  void measure(const JobOptions& options);
  std::shared_ptr<const DurationTable> table(std::size_t run) const;

 private:
  /// How it is measured, and the parameters that affect durations.
  using Shape = std::pair<bool, std::vector<std::pair<std::string, std::string>>>;

  std::uint64_t cut_above_;
  std::map<Shape, Calibration> calibrations_;
  std::map<Shape, std::shared_ptr<const DurationTable>> tables_;
  std::vector<std::vector<Shape>> runs_;  ///< shapes of each run
};

/// A run of a whole GPU in a sweep, as prepare() needs it.
struct GpuRun {
  GpuConfig& config;
  std::shared_ptr<const DurationTable>& durations;
  std::function<Workload()> workload;  ///< launches each of its kernels at least once
};

/// Prepares the runs of a set (run_set.h): they get the settings of `options`, and those whose SM model needs durations but has
/// no file of them get durations that are measured for them. Such a model cannot translate addresses: runs that need it stay
/// on SMs that run warps.
void prepare(const std::vector<GpuRun>& runs, const JobOptions& options);

}  // namespace gputlm
