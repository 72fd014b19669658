/// The `kernels` section of a workload file (platform/input/workload_file.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/host/workload.h"
#include "models/kernel/program.h"
#include "platform/input/map_form.h"
#include "platform/input/workload_file_memory.h"
#include "platform/input/yaml_reader.h"

namespace gputlm {

/// Reads one kernel. A pattern without a base gets one from `addresses`. The base may be the name of an allocation in
/// `managed`.
ProgramSpec read_kernel(const std::string& name, const YamlNode& node, FreshAddresses& addresses,
                        const std::vector<ManagedAllocation>& managed = {});
/// The kernel's own random seed, if it names one.
std::optional<std::uint64_t> read_kernel_seed(const YamlNode& kernel);

/// Blocks of a grid or threads of a block: a number or [x, y, z].
Dim3 read_grid(const YamlNode& node);
Dim3 read_block(const YamlNode& node);

/// A kernel in the form that read_kernel() reads, without its seed.
schema::Json written_kernel(const ProgramSpec& spec);

/// Adds the schema's definitions of kernels, by name.
void add_kernel_definitions(schema::Json& definitions);
/// The mappings of the section, for the reference.
std::vector<const MapForm*> kernel_forms();

}  // namespace gputlm
