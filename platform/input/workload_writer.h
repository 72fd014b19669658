/// Writes a workload of any input as a workload file (docs/workload.md): running the file gives the same
/// results.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "models/host/workload.h"

namespace gputlm {

/// As a tree, with random draws and repetitions written out. `folder`: that of the file, to which paths of traces are
/// relative; empty: the current one. Throws InputError for a kernel written in C++, which no file can describe.
nlohmann::ordered_json written_workload(const Workload& workload, const std::string& folder);

/// As YAML, preceded by the workload's warnings as comments.
std::string workload_yaml(const Workload& workload, const std::string& folder);

}  // namespace gputlm
