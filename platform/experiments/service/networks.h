/// The networks of an inference service (workloads/service): what a request of each launches.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/kernel/kernel.h"
#include "platform/input/preset_source.h"

namespace gputlm {

struct Network {
  std::string name;
  std::vector<std::shared_ptr<Kernel>> layers;  ///< launched one after the other; layers may share a kernel
};

/// By name. Generated from workloads/service/*.yaml by cmake/EmbedPresets.cmake.
const std::vector<PresetSource>& service_network_sources();

/// Throws InputError if there is none of this name.
Network service_network(const std::string& name, std::uint64_t seed);

}  // namespace gputlm
