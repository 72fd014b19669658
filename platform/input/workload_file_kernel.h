/// The `kernels` section of a workload file (platform/input/workload_file.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/host/workload.h"
#include "models/kernel/program.h"
#include "platform/input/workload_file_memory.h"
#include "platform/input/yaml_reader.h"

namespace gputlm {

/// Reads one kernel. A pattern without a base of its own gets one of `addresses`. The base of a
/// pattern may be the name of an allocation of `managed`.
ProgramSpec read_kernel(const std::string& name, const YamlNode& node, FreshAddresses& addresses,
                        const std::vector<ManagedAllocation>& managed = {});

/// Blocks of a grid and threads of a block: a number or [x, y, z].
Dim3 read_grid(const YamlNode& node);
Dim3 read_block(const YamlNode& node);

}  // namespace gputlm
