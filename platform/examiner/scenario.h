/// Reads configurations of cuda_scheduling_examiner, the real-time community's tool for examining scheduling on real GPUs, as
/// workloads (docs/examiner.md).
#pragma once

#include <string>

#include "platform/input/run_input.h"
#include "platform/input/yaml_reader.h"

namespace gputlm {

/// `time_scale` divides times, and the work of blocks and copies. Throws InputError with file and line.
RunInput load_examiner_configuration(const YamlNode& configuration, std::uint64_t time_scale);

}  // namespace gputlm
