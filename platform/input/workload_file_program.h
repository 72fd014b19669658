/// The elements of a kernel's program in a workload file, for reading and writing (docs/workload.md).
#pragma once

#include <utility>
#include <vector>

#include "models/kernel/program.h"
#include "platform/input/map_form.h"

namespace gputlm {

/// The arithmetic instructions of programs, by name; they differ in the pipeline that executes them.
const std::vector<std::pair<const char*, ArithmeticElement>>& arithmetic_kinds();

/// `patterns`: those of the kernel; `global`: for each pattern, whether anything but shared memory uses it. Throws InputError.
std::vector<ProgramElement> read_program(const YamlNode& node, const std::vector<AddressPattern>& patterns,
                                         std::vector<bool>& global);
schema::Json written_program(const std::vector<ProgramElement>& body);

/// Adds the schema's definitions of programs, by name.
void add_program_definitions(schema::Json& definitions);
/// The mappings of programs, for the reference.
std::vector<const MapForm*> program_forms();

}  // namespace gputlm
