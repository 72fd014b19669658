/// The part of a workload file that says what an application is, whatever it launches.
#pragma once

#include <string>
#include <vector>

#include "models/host/workload.h"
#include "platform/input/yaml_reader.h"

namespace gputlm {

/// The keys of every application and `others`, for YamlMap.
std::vector<std::string> application_keys(const std::vector<std::string>& others);
/// All but what it launches. Throws InputError.
ApplicationSpec read_application(const YamlMap& map, std::string name);

}  // namespace gputlm
