/// A study is a file that says what is run: GPUs x settings x workloads x seeds. A user writes one for `gputlm sweep`, such
/// as workloads/kernel_orders_sweep.yaml; an experiment has one as its plan (experiment.h).
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
/// A plan has programs instead of files; the experiment's C++ knows them by name, and the programs of a list run together.
/// It also varies factors that are not parameters; the experiment declares them (add_experiment()):
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

/// A point of a study: an index into each of its lists.
struct StudyPoint {
  std::size_t gpu = 0;
  std::vector<std::size_t> settings;  ///< index of the value on each axis
  std::size_t workload = 0;
  std::size_t seed = 0;

  bool operator<(const StudyPoint& other) const {
    return std::tie(gpu, settings, workload, seed) < std::tie(other.gpu, other.settings, other.workload, other.seed);
  }
};

class Study {
 public:
  /// Parameters with their values.
  using Settings = std::vector<std::pair<std::string, std::string>>;

  /// `quick`: the smaller form, which the study must have.
  static Study load(const std::string& path, bool quick = false);
  /// `folder`: names of files are relative to it.
  static Study read(const YamlNode& root, const std::string& folder, bool quick = false);
  /// An experiment's plan, which has exactly these factors. `quick`: the smaller form, if the plan has one.
  static Study read_plan(const YamlNode& root, const std::vector<std::string>& factors, bool quick);

  struct Axis {
    std::string parameter;
    std::vector<std::string> values;
  };
  const std::string& description() const { return description_; }
  /// The GPUs as the file names them, and as all tables call them; absolute paths are shortened to the parts that differ
  /// (files/short_paths.h).
  const std::vector<std::string>& gpus() const { return gpus_; }
  /// The GPU with the settings of every run and without the varied ones.
  const GpuConfig& base(std::size_t gpu) const { return bases_[gpu]; }
  const std::vector<Axis>& axes() const { return axes_; }
  const std::vector<std::string>& workloads() const { return workloads_; }  ///< named as GPUs are
  /// The same, shorter for a reader: `#variant` for variants of one file, otherwise the end of the path.
  const std::vector<std::string>& short_workloads() const { return short_workloads_; }
  /// The name in tables of a GPU or workload that the file names `named`; any other text is returned unchanged.
  const std::string& called(const std::string& named) const;
  const std::vector<std::uint64_t>& seeds() const { return seeds_; }
  bool alone() const { return alone_; }
  const SlurmSettings& slurm() const { return slurm_; }

  /// All points. The seed changes fastest, then the workload, the axes and the GPU.
  std::vector<StudyPoint> points() const;
  GpuConfig config(const StudyPoint& point) const;
  /// A GPU with the settings of every run, and then with `more`.
  GpuConfig config_with(const Settings& more, std::size_t gpu = 0) const;
  /// Points with the same workload and seed share its kernels.
  const Workload& workload(const StudyPoint& point) const { return loaded_[point.workload][point.seed]; }

  // Contents of a plan, for its experiment.
  const std::string& gpu() const { return gpus_.front(); }
  using Programs = std::vector<std::vector<std::string>>;
  /// Lists of programs; those of a list run together.
  const Programs& programs() const { return programs_; }
  const Settings& settings() const { return set_; }  ///< settings of every run
  /// The values of a varied parameter or of a factor. They throw std::logic_error if there is none of this name, or if a
  /// value is not a number but is requested as one.
  std::vector<std::string> values(const std::string& what) const;
  std::vector<unsigned> numbers(const std::string& what) const;
  unsigned number(const std::string& what) const { return numbers(what).at(0); }
  /// Throws std::out_of_range if there is no text of this name.
  const std::string& text(const std::string& name) const { return texts_.at(name); }
  /// Replaces values by others. Tests use it to refute an experiment.
  void replace(const std::map<std::string, std::string>& instead);

 private:
  /// Reads everything but the workloads of files. `factors`: those of a plan; null: the study is a user's.
  static Study read_form(const YamlMap& map, const std::string& folder, const std::vector<std::string>* factors);
  void read_gpus(const YamlMap& map, const std::string& folder);
  void read_slurm(const YamlNode& node);
  void read_axes(const YamlNode& node);
  void read_factors(const YamlNode& node, const std::vector<std::string>& factors);
  void name_workloads(const YamlNode& list, const std::string& folder);
  void load_workload(const std::string& name, const YamlNode& named, const std::string& folder);
  /// Shortens these names to those of tables; called() finds them from here on.
  void shorten(std::vector<std::string>& names);

  std::string description_;
  std::vector<std::string> gpus_;
  std::vector<GpuConfig> bases_;  ///< GPUs with the settings of every run
  std::vector<Origins> origins_;  ///< origins of the values in bases_
  Settings set_;
  std::vector<Axis> axes_;
  std::vector<std::vector<std::size_t>> axis_lines_;  ///< line of each value in the file, by axis
  std::map<std::string, std::vector<std::string>> factors_;
  std::map<std::string, std::string> texts_;
  Programs programs_;
  std::vector<std::string> workloads_;
  std::vector<YamlNode> named_;  ///< places where the file names the workloads
  std::vector<std::string> short_workloads_;
  std::map<std::string, std::string> called_;
  std::vector<std::uint64_t> seeds_{1};
  std::vector<std::vector<Workload>> loaded_;  ///< workloads, indexed by workload and seed
  bool alone_ = false;
  SlurmSettings slurm_;
  std::string file_;
};

}  // namespace gputlm
