/// Tasks of a workload file and their jobs: what is released again and again, and by when it is to be done.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "models/host/workload.h"
#include "platform/input/map_form.h"
#include "platform/input/yaml_reader.h"

namespace gputlm {

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
