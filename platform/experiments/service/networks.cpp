#include "platform/experiments/service/networks.h"

#include "platform/input/workload_file.h"
#include "platform/lab/embedded_program.h"

namespace gputlm {

Network service_network(const std::string& name, std::uint64_t seed) {
  const PresetSource& source = source_named(service_network_sources(), "network", name);
  Network network{name, {}};
  const Workload workload = load_workload_text(source.yaml, "workloads/service/" + name + ".yaml", seed);
  for (const LaunchCommand& launch : workload.launches) network.layers.push_back(launch.kernel);
  return network;
}

}  // namespace gputlm
