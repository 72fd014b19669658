/// The `kernels` section of a workload file (platform/input/workload_file.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/host/workload.h"
#include "models/kernel/program.h"
#include "platform/input/yaml_reader.h"

namespace gputlm {

/// Reads one kernel. `next_base` is where the next pattern without a base of its own goes; it moves on. The base of a
/// pattern may be the name of an allocation of `managed`.
ProgramSpec read_kernel(const std::string& name, const YamlNode& node, Address& next_base,
                        const std::vector<ManagedAllocation>& managed = {});

/// Blocks of a grid and threads of a block: a number or [x, y, z].
Dim3 read_grid(const YamlNode& node);
Dim3 read_block(const YamlNode& node);

}  // namespace gputlm
