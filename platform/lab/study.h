/// What is run, as a file: GPUs x settings x workloads x seeds. It is a user's, for `gputlm sweep`, as
/// workloads/kernel_orders_sweep.yaml is, or an experiment's plan (experiment.h).
///
///   description: Which kernel order is fair to whom
///   gpus: [xavier]                            # presets or GPU files, or `gpu` one; without it, that of `gputlm run`
///   set: {work_distributor.dispatch_width: 4} # of every run
///   vary:                                     # every combination of these
///     work_distributor.kernel_order: [leftover, mpmax, srtf]
///     sm.warp_scheduler: [lrr, gto]
///   workloads: [mixed.yaml, trace/kernelslist.g, price.yaml#budget, other.yaml#*]  # #: variants (input/variants.h)
///   seeds: [1, 2]                             # without it, 1
///   alone: true                               # also each application alone, for slowdown, STP, ANTT, StrictF
///   slurm: {partition: long, time: 60}        # for `gputlm sweep --slurm` (slurm.h)
///   texts: {small: "kernels: ..."}            # workloads in the place of files, by name
///   quick: {workloads: [mixed.yaml]}          # a smaller form: what it has instead, merged as variants are
///
/// A plan has programs in the place of files, which run together and which the experiment's C++ knows by name, and varies
/// what is no parameter; what that is the experiment says (add_experiment()):
///
///   workloads: [[hist, gups], [gups, 3ds]]
///   factors: {budget: [1, 8]}
///
/// Names of files are relative to the folder of the study's file. Everything here throws InputError with file and line.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
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
  /// Parameters and their values.
  using Settings = std::vector<std::pair<std::string, std::string>>;

  /// `quick`: in its smaller form, which it has then.
  static Study load(const std::string& path, bool quick = false);
  /// From text; `folder`: which names of files are relative to.
  static Study read(const YamlNode& root, const std::string& folder, bool quick = false);
  /// An experiment's plan, which has these factors and no others. `quick`: in its smaller form, where it has one.
  static Study read_plan(const YamlNode& root, const std::vector<std::string>& factors, bool quick);

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
  /// Of a GPU, with what is set in every run and then this.
  GpuConfig config_with(const Settings& more, std::size_t gpu = 0) const;
  /// Points with the same workload and seed share its kernels.
  const Workload& workload(const StudyPoint& point) const { return loaded_[point.workload][point.seed]; }

  // What a plan says to its experiment.
  const std::string& gpu() const { return gpus_.front(); }
  using Programs = std::vector<std::vector<std::string>>;
  /// That run together.
  const Programs& programs() const { return programs_; }
  const Settings& settings() const { return set_; }  ///< of every run
  /// Of a parameter that is varied, or a factor. Throw std::logic_error for what is neither, and for a value that is asked
  /// for as a number and is none: what asks is code.
  std::vector<std::string> values(const std::string& what) const;
  std::vector<unsigned> numbers(const std::string& what) const;
  unsigned number(const std::string& what) const { return numbers(what).at(0); }
  /// Throws std::out_of_range if there is none of this name.
  const std::string& text(const std::string& name) const { return texts_.at(name); }
  /// Has other values in the place of these: tests see an experiment refuted.
  void replace(const std::map<std::string, std::string>& instead);

 private:
  /// Without the workloads of files. `factors`: of a plan; null: it is a user's.
  static Study read_form(const YamlMap& map, const std::string& folder, const std::vector<std::string>* factors);
  void read_gpus(const YamlMap& map, const std::string& folder);
  void read_slurm(const YamlNode& node);
  void read_axes(const YamlNode& node);
  void read_factors(const YamlNode& node, const std::vector<std::string>& factors);
  void name_workloads(const YamlNode& list, const std::string& folder);
  void load_workload(const std::string& name, const YamlNode& named, const std::string& folder);
  /// From here on these are called as tables call them.
  void shorten(std::vector<std::string>& names);

  std::string description_;
  std::vector<std::string> gpus_;
  std::vector<GpuConfig> bases_;  ///< of each GPU, with what is set in every run
  std::vector<Origins> origins_;  ///< of their values
  Settings set_;
  std::vector<Axis> axes_;
  std::vector<std::vector<std::size_t>> axis_lines_;  ///< of each value
  std::map<std::string, std::vector<std::string>> factors_;
  std::map<std::string, std::string> texts_;
  Programs programs_;
  std::vector<std::string> workloads_;
  std::vector<YamlNode> named_;  ///< where the file names each of them
  std::vector<std::string> short_workloads_;
  std::map<std::string, std::string> called_;
  std::vector<std::uint64_t> seeds_{1};
  std::vector<std::vector<Workload>> loaded_;  ///< by workload and seed
  bool alone_ = false;
  SlurmSettings slurm_;
  std::string file_;
};

}  // namespace gputlm
