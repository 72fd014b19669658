/// The six applications of fr-rr-fcfs (table 2), as the program carries them: workloads/memory/*.yaml. Each has one
/// application with one kernel, and addresses of its own, so that any two can run side by side.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/host/workload.h"
#include "platform/input/preset.h"

namespace gputlm {

/// By name. Generated from workloads/memory/*.yaml by cmake/EmbedPresets.cmake.
const std::vector<PresetSource>& memory_application_sources();

/// Throws InputError if there is no such application.
Workload memory_application(const std::string& name, std::uint64_t seed);

}  // namespace gputlm
