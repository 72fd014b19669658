/// Applications of a workload file whose program is not in it, but in other files: a traced one (`trace: PATH`), a captured
/// one (`capture: PATH`). A source is a file that registers itself under its key.
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
#include "tlm/registry.h"

namespace gputlm {

class FreshAddresses;

/// What such an application is read into.
struct SourcedApplication {
  ApplicationId application = 0;  ///< of `workload`, the last one
  std::string label_prefix;       ///< of its launches and copies: "NAME/" where it is not alone
  std::size_t number = 0;         ///< of the applications of its source, from 0
  std::uint64_t seed = 1;
  const GpuConfig* gpu;  ///< for which the workload is read; null: not known yet
  Workload& workload;
  LaunchList& launches;
  FreshAddresses& addresses;  ///< for what the program gives none
  bool nested;                ///< the workload is an application of another one
};

/// Its name is its key.
struct ApplicationSource : Registered {
  std::string form_name;  ///< in the schema: "traced application"
  const MapForm& (*form)() = nullptr;
  /// Its name, where the file gives none.
  std::function<std::string(const YamlMap&)> default_name;
  /// Where its addresses begin, which are apart from those of the others; none: 0.
  std::function<Address(std::size_t number)> first_address = [](std::size_t) { return 0; };
  /// Adds streams, threads, launches and copies. Throws InputError.
  std::function<void(const YamlMap&, const SourcedApplication&)> read;
};

Registry<ApplicationSource>& application_sources();

/// The source whose key the mapping has; null if it has none.
const ApplicationSource* application_source(const YamlNode& application);

/// What all of them may say of when they run and of their jobs: the times at which the program begins, and the task whose
/// jobs these are; without a name where they are none.
struct SourcedJobs {
  std::vector<Femtoseconds> releases;
  TaskSpec task;
};
/// The keys of that.
const MapForm& sourced_jobs_form();
SourcedJobs read_sourced_jobs(const YamlMap& map, const ApplicationSpec& application, std::uint64_t seed);

}  // namespace gputlm
