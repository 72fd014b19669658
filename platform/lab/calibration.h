/// Measures durations of blocks with SMs that run warps, for those that run blocks (docs/blocks.md): each kernel of some
/// workloads by residency, and every two that may meet on an SM by those of both.
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
  /// `config`: of the GPU, whatever its SM model; for one that sends requests, one SM is measured on an idle memory
  /// (models/sm/blocks/table.h), else all SMs at once. `cut_above`: the cost of a measurement, in warp instructions,
  /// above which it is made of blocks whose loops are cut (block_measurements.h).
  explicit Calibration(const GpuConfig& config, std::uint64_t cut_above = kCutAbove);
  static constexpr std::uint64_t kCutAbove = 1'000'000'000;  ///< some minutes
  /// The kernels of a workload, and the pairs of those that may run at once: of different streams.
  void add(const Workload& workload);
  /// What the memory has is wanted too, for kernels with a demand.
  void add_memory() { memory_ = true; }
  std::size_t kernels() const { return kernels_.size(); }
  std::size_t pairs() const { return pairs_.size(); }
  /// Measures what has been added, as carry_out() carries out other runs.
  DurationTable measure(const JobOptions& options) const;

 private:
  /// Kernels with the same ids may differ in where their memory lies. Those are measured whose sources come first, so that
  /// the durations do not depend on the order in which they were met.
  struct Measured {
    std::vector<std::shared_ptr<Kernel>> kernels;
    std::string source;
  };
  static void meet(Measured& known, std::vector<std::shared_ptr<Kernel>> kernels);
  unsigned most_blocks(const Kernel& kernel) const;

  GpuConfig config_;
  std::uint64_t cut_above_;
  bool requests_;                            ///< for an SM model that sends some
  std::map<std::string, Measured> kernels_;  ///< by id
  bool memory_ = false;                      ///< some have a demand
  /// By both ids, of which the first is the lesser. Two that run at once have each their own memory.
  std::map<std::pair<std::string, std::string>, Measured> pairs_;
};

/// The durations that runs need, each table measured once: one for a GPU, one for each shape of the instances that it is
/// divided into.
class CalibrationOfRuns {
 public:
  explicit CalibrationOfRuns(std::uint64_t cut_above = Calibration::kCutAbove) : cut_above_(cut_above) {}
  /// Returns what table() takes.
  std::size_t add(const GpuConfig& config, const Workload& workload);
  void measure(const JobOptions& options);
  std::shared_ptr<const DurationTable> table(std::size_t run) const;

 private:
  /// How it is measured, and what decides durations.
  using Shape = std::pair<bool, std::vector<std::pair<std::string, std::string>>>;

  std::uint64_t cut_above_;
  std::map<Shape, Calibration> calibrations_;
  std::map<Shape, std::shared_ptr<const DurationTable>> tables_;
  std::vector<std::vector<Shape>> runs_;  ///< the shapes of each
};

/// A run of a whole GPU in a sweep, as far as prepare() is about it.
struct GpuRun {
  GpuConfig& config;
  std::shared_ptr<const DurationTable>& durations;
  std::function<Workload()> workload;  ///< each of its kernels launched once at least
};

/// The runs of a set (run_set.h), before they are carried out: with the settings of `options`, and those with an SM model that needs
/// durations, but no file of them, with durations that are measured for them. Where addresses are translated such a model
/// cannot be: those runs stay on SMs that run warps.
void prepare(const std::vector<GpuRun>& runs, const JobOptions& options);

}  // namespace gputlm
