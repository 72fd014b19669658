#include "platform/experiments/service/networks.h"

#include <algorithm>

#include "platform/input/nearest.h"
#include "platform/input/workload_file.h"
#include "tlm/error.h"

namespace gputlm {

Network service_network(const std::string& name, std::uint64_t seed) {
  const std::vector<PresetSource>& sources = service_network_sources();
  const auto source = std::find_if(sources.begin(), sources.end(), [&](const auto& s) { return s.name == name; });
  if (source == sources.end()) {
    std::vector<std::string> names;
    for (const PresetSource& s : sources) names.push_back(s.name);
    throw InputError("there is no network '" + name + "'" + suggestion(name, names));
  }
  Network network{name, {}};
  const Workload workload = load_workload_text(source->yaml, "workloads/service/" + name + ".yaml", seed);
  for (const LaunchCommand& launch : workload.launches) network.layers.push_back(launch.kernel);
  return network;
}

}  // namespace gputlm
