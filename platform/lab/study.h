/// A sweep as a file: GPUs x settings x workloads x seeds. An example is workloads/kernel_orders_sweep.yaml.
///
///   description: Which kernel order is fair to whom
///   gpus: [xavier]                            # presets or GPU files; without it, that of `gputlm run`
///   set: {work_distributor.dispatch_width: 4} # of every run
///   vary:                                     # every combination of these
///     work_distributor.kernel_order: [leftover, mpmax, srtf]
///     sm.warp_scheduler: [lrr, gto]
///   workloads: [mixed.yaml, trace/kernelslist.g, price.yaml#budget, other.yaml#*]  # #: variants (input/variants.h)
///   seeds: [1, 2]                             # without it, 1
///   alone: true                               # also each application alone, for slowdown, STP, ANTT, StrictF
///   slurm: {partition: long, time: 60}        # for `gputlm sweep --slurm` (slurm.h)
///
/// Names of files are relative to the folder of the sweep's file. Everything here throws InputError with file and line.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "platform/input/parameters.h"
#include "platform/input/yaml_reader.h"
#include "platform/lab/slurm.h"

namespace gputlm {

/// A point of a study: a place in each of its lists.
struct StudyPoint {
  std::size_t gpu = 0;
  std::vector<std::size_t> settings;  ///< of each axis
  std::size_t workload = 0;
  std::size_t seed = 0;

  bool operator<(const StudyPoint& other) const {
    return std::tie(gpu, settings, workload, seed) < std::tie(other.gpu, other.settings, other.workload, other.seed);
  }
};

class Study {
 public:
  static Study load(const std::string& path);
  /// From text; `folder`: which names of files are relative to.
  static Study read(const YamlNode& root, const std::string& folder);

  struct Axis {
    std::string parameter;
    std::vector<std::string> values;
  };
  const std::string& description() const { return description_; }
  /// As the file names them, but of absolute paths what tells them apart (files/short_paths.h): so do all tables.
  const std::vector<std::string>& gpus() const { return gpus_; }
  /// With what is set in every run, and without what is varied.
  const GpuConfig& base(std::size_t gpu) const { return bases_[gpu]; }
  const std::vector<Axis>& axes() const { return axes_; }
  const std::vector<std::string>& workloads() const { return workloads_; }  ///< likewise
  /// The same for a reader: of variants of one file what tells them apart, `#variant`; else the end of the path that does.
  const std::vector<std::string>& short_workloads() const { return short_workloads_; }
  /// What tables call a GPU or workload that the file names so; any other text is itself.
  const std::string& called(const std::string& named) const;
  const std::vector<std::uint64_t>& seeds() const { return seeds_; }
  bool alone() const { return alone_; }
  const SlurmSettings& slurm() const { return slurm_; }

  /// All of them, the last list fastest: workload and seed, then the axes, then the GPU.
  std::vector<StudyPoint> points() const;
  GpuConfig config(const StudyPoint& point) const;
  /// Points with the same workload and seed share its kernels.
  const Workload& workload(const StudyPoint& point) const { return loaded_[point.workload][point.seed]; }

 private:
  void read_slurm(const YamlNode& node);
  void read_axes(const YamlNode& node);
  void load_workload(const std::string& name, const YamlNode& named, const std::string& folder);
  /// From here on these are called as tables call them.
  void shorten(std::vector<std::string>& names);

  std::string description_;
  std::vector<std::string> gpus_;
  std::vector<GpuConfig> bases_;  ///< of each GPU, with what is set in every run
  std::vector<Origins> origins_;  ///< of their values
  std::vector<Axis> axes_;
  std::vector<std::vector<std::size_t>> axis_lines_;  ///< of each value
  std::vector<std::string> workloads_;
  std::vector<std::string> short_workloads_;
  std::map<std::string, std::string> called_;
  std::vector<std::uint64_t> seeds_{1};
  std::vector<std::vector<Workload>> loaded_;  ///< by workload and seed
  bool alone_ = false;
  SlurmSettings slurm_;
  std::string file_;
};

}  // namespace gputlm
