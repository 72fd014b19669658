/// An application of a workload file, whether its kernels are the file's or those of a trace.
#pragma once

#include <string>

#include "models/host/workload.h"
#include "platform/input/map_form.h"

namespace gputlm {

/// The keys of both kinds.
const MapForm& application_form();
ApplicationSpec read_application(const YamlMap& map, std::string name);

}  // namespace gputlm
