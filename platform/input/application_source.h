/// Applications whose program is in files other than the workload file: a traced one (`trace: PATH`), a captured one
/// (`capture: PATH`). A source is a file that registers itself under its key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "models/config.h"
#include "models/host/workload.h"
#include "platform/input/launch_list.h"
#include "platform/input/map_form.h"
#include "platform/input/yaml_reader.h"
#include "tlm/base/registry.h"

namespace gputlm {

class FreshAddresses;

/// The destination of such an application.
struct SourcedApplication {
  ApplicationId application = 0;  ///< index in `workload`: the last one
  std::string label_prefix;       ///< prefix of labels of launches and copies: "NAME/" unless it is the only one
  std::size_t number = 0;         ///< index among the applications of its source, from 0
  std::uint64_t seed = 1;
  const GpuConfig* gpu;  ///< the GPU that the workload is read for; null: not known yet
  Workload& workload;
  LaunchList& launches;
  FreshAddresses& addresses;  ///< supplies addresses where the program gives none
  bool nested;                ///< the workload is an application of another one
};

/// The name is the source's key.
struct ApplicationSource : Registered {
  std::string form_name;  ///< name in the schema: "traced application"
  const MapForm& (*form)() = nullptr;
  /// The application's name if the file gives none.
  std::function<std::string(const YamlMap&)> default_name;
  /// Start of the application's addresses, which are disjoint from those of the others; default 0.
  std::function<Address(std::size_t number)> first_address = [](std::size_t) { return 0; };
  /// Adds streams, threads, launches and copies. Throws InputError.
  std::function<void(const YamlMap&, const SourcedApplication&)> read;
};

Registry<ApplicationSource>& application_sources();

/// The source whose key the mapping has; null if there is none.
const ApplicationSource* application_source(const YamlNode& application);

/// What every source may say about the times and jobs of its program: when it starts, and the task to which these runs belong
/// as jobs; the task has no name if there are no jobs.
struct SourcedJobs {
  std::vector<Femtoseconds> releases;
  TaskSpec task;
};
/// The keys of SourcedJobs.
const MapForm& sourced_jobs_form();
SourcedJobs read_sourced_jobs(const YamlMap& map, const ApplicationSpec& application, std::uint64_t seed);

}  // namespace gputlm
