/// An application of a workload file that is a traced program: `trace: PATH`, relative to the file.
#pragma once

#include <cstdint>
#include <string>

#include "platform/input/map_form.h"
#include "platform/input/trace_application.h"
#include "platform/input/yaml_reader.h"

namespace gputlm {

bool is_trace_application(const YamlNode& application);
const MapForm& trace_application_form();
/// Its name, where the file gives none.
std::string default_trace_name(const YamlMap& map);

/// Adds what it launches. `run` has application and label prefix; `number`: of the trace in the workload, from 0; `seed`: of
/// what is drawn of its release times. Throws InputError.
void read_trace_application(const YamlMap& map, TraceRun run, std::size_t number, std::uint64_t seed,
                            Workload& workload, LaunchList& launches);

}  // namespace gputlm
