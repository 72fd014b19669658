/// The kernels that a workload file defines, by name, for launches in their own shape or another.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "models/host/workload.h"
#include "models/kernel/program_kernel.h"
#include "platform/input/map_form.h"
#include "platform/input/yaml_reader.h"

namespace gputlm {

class DefinedKernels {
 public:
  /// `seed`: for the random choices of their programs. `warnings` collects those of launched kernels; must outlive this
  /// object.
  DefinedKernels(std::uint64_t seed, std::vector<std::string>& warnings) : seed_(seed), warnings_(warnings) {}

  /// `seed`: of this kernel alone; none: the common one.
  void define(const std::string& name, ProgramSpec spec, std::optional<std::uint64_t> seed = std::nullopt);
  /// The kernel called `name`; `shape` may override its `grid`, `block` or `cluster`. Launches of the same shape share a
  /// kernel: a task may have thousands. Throws InputError if there is no kernel of that name.
  std::shared_ptr<ProgramKernel> launch(const YamlNode& name, const YamlMap* shape = nullptr);
  /// Warns of kernels that nothing launches.
  void warn_of_the_others();

 private:
  struct Definition {
    ProgramSpec spec;
    std::uint64_t seed;
    std::shared_ptr<ProgramKernel> kernel;
  };
  using Shape = std::pair<std::string, std::array<std::uint32_t, 9>>;  ///< grid, block and cluster

  std::shared_ptr<ProgramKernel> reshaped(const std::string& name, const Definition& of, const YamlMap& shape);

  std::uint64_t seed_;
  std::vector<std::string>& warnings_;
  std::vector<std::string> names_;  ///< names in the order of the file
  std::map<std::string, Definition> definitions_;
  std::map<Shape, std::shared_ptr<ProgramKernel>> reshaped_;
  std::set<std::string> launched_;  ///< names of launched kernels
  std::set<const ProgramKernel*> used_;
  std::set<std::string> warned_;
};

/// Tasks of a workload file and their jobs: what is released repeatedly, with its deadlines.

/// Fills `tasks` and `jobs` of a workload. Throws InputError for errors of the file.
class FileTasks {
 public:
  explicit FileTasks(Workload& workload) : workload_(workload) {}

  /// Tasks that calls name belong to one application.
  void begin_application() { named_.clear(); }

  /// The task that `map` describes; it is not added to a workload.
  static TaskSpec read(const YamlMap& map, std::string name);
  /// Adds a task to the last application and returns its number. A name that exists is extended by its line.
  std::uint32_t add(TaskSpec spec);
  /// The number of a task that several calls of an application name, each making a job of it.
  std::uint32_t named(const YamlNode& name, TaskSpec spec);
  /// Returns the number of the job among all jobs.
  std::uint32_t add_job(std::uint32_t task, Femtoseconds release, unsigned phase);

 private:
  Workload& workload_;
  std::map<std::string, std::uint32_t> named_;      ///< numbers of tasks, by the name that calls of the application use
  std::map<std::uint32_t, std::uint32_t> jobs_of_;  ///< number of jobs of each task so far
};

}  // namespace gputlm
