#include "platform/experiments/fr_rr_fcfs/memory_applications.h"

#include <algorithm>

#include "platform/input/nearest.h"
#include "platform/input/workload_file.h"
#include "tlm/error.h"

namespace gputlm {

Workload memory_application(const std::string& name, std::uint64_t seed) {
  std::vector<std::string> names;
  for (const PresetSource& source : memory_application_sources()) {
    if (source.name == name) return load_workload_text(source.yaml, "workloads/memory/" + name + ".yaml", seed);
    names.push_back(source.name);
  }
  throw InputError("there is no application '" + name + "'" + suggestion(name, names));
}

}  // namespace gputlm
