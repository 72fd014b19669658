/// The elements of a kernel's program in a workload file, as they are read and written (docs/workload.md).
#pragma once

#include <utility>
#include <vector>

#include "models/kernel/program.h"
#include "platform/input/map_form.h"

namespace gputlm {

/// Instructions of a program by name that differ in what executes them.
const std::vector<std::pair<const char*, ArithmeticElement>>& arithmetic_kinds();

/// `patterns`: of the kernel; `global`: of each, whether it is used by other than shared memory. Throws InputError.
std::vector<ProgramElement> read_program(const YamlNode& node, const std::vector<AddressPattern>& patterns,
                                         std::vector<bool>& global);
schema::Json written_program(const std::vector<ProgramElement>& body);

/// What the schema of workload files says of programs, by name.
void add_program_definitions(schema::Json& definitions);
/// The mappings in programs, for the reference.
std::vector<const MapForm*> program_forms();

}  // namespace gputlm
