/// The kernels that a workload file defines, as its launches take them: by name, in their own shape or another.
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
  /// `seed`: of what is random in their programs. `warnings`: takes those of kernels that are launched; must outlive it.
  DefinedKernels(std::uint64_t seed, std::vector<std::string>& warnings) : seed_(seed), warnings_(warnings) {}

  /// `seed`: of its own, in the place of that of all.
  void define(const std::string& name, ProgramSpec spec, std::optional<std::uint64_t> seed = std::nullopt);
  /// The kernel that `name` names; `shape` may have a `grid`, `block` or `cluster` for it. Launches of the same shape share a
  /// kernel: a task may have thousands. Throws InputError if there is none of that name.
  std::shared_ptr<ProgramKernel> launch(const YamlNode& name, const YamlMap* shape = nullptr);
  /// Of kernels that nobody has launched.
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
  std::vector<std::string> names_;  ///< in the order of the file
  std::map<std::string, Definition> definitions_;
  std::map<Shape, std::shared_ptr<ProgramKernel>> reshaped_;
  std::set<std::string> launched_;  ///< names
  std::set<const ProgramKernel*> used_;
  std::set<std::string> warned_;
};

/// Tasks of a workload file and their jobs: what is released again and again, and by when it is to be done.

/// Fills `tasks` and `jobs` of a workload. Errors of the file are InputErrors.
class FileTasks {
 public:
  explicit FileTasks(Workload& workload) : workload_(workload) {}

  /// Tasks that calls name are those of one application.
  void begin_application() { named_.clear(); }

  /// What `map` says of its task, which is in no workload yet.
  static TaskSpec read(const YamlMap& map, std::string name);
  /// Number of a task of the application that was read last. A name that there is gets its line behind it.
  std::uint32_t add(TaskSpec spec);
  /// The task that several calls of an application name, as each has a job of it.
  std::uint32_t named(const YamlNode& name, TaskSpec spec);
  /// Number of the job, among all.
  std::uint32_t add_job(std::uint32_t task, Femtoseconds release, unsigned phase);

 private:
  Workload& workload_;
  std::map<std::string, std::uint32_t> named_;      ///< by calls of the application
  std::map<std::uint32_t, std::uint32_t> jobs_of_;  ///< each task, so far
};

}  // namespace gputlm
