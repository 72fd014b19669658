/// Programs that the experiments carry with them: workload files of one kernel, compiled in.
#pragma once

#include <string>
#include <vector>

#include "models/kernel/program.h"
#include "platform/input/preset.h"

namespace gputlm {

/// The source of this name. Throws InputError, with names like it, if there is none. `kind`: what it is called there.
const PresetSource& source_named(const std::vector<PresetSource>& sources, const std::string& kind,
                                 const std::string& name);

/// The kernel of the file `name` among `sources`, which come from `folder` (for messages). Patterns without a base of
/// their own are placed from `base` on. Throws InputError if there is no such file.
ProgramSpec embedded_program(const std::vector<PresetSource>& sources, const std::string& folder,
                             const std::string& name, Address base);

}  // namespace gputlm
