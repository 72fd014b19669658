/// Workload files: YAML that describes kernels as programs, and which streams of which applications launch them.
/// docs/workload.md describes the form.
#pragma once

#include <cstdint>
#include <string>

#include "models/host/workload.h"

namespace gputlm {

/// Throws InputError, with file and line, for whatever is wrong with the file.
Workload load_workload(const std::string& path, std::uint64_t seed);
/// The same from text; `name` stands for the file in messages.
Workload load_workload_text(const std::string& text, const std::string& name, std::uint64_t seed);

}  // namespace gputlm
