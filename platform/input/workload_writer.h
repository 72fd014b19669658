/// A workload as a workload file (docs/workload.md), whatever it was read from: running the file gives the same results.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "models/host/workload.h"

namespace gputlm {

/// As a tree: what is drawn and repeated is written out. `folder`: of the file, from which paths of traces count; empty:
/// the current one. Throws InputError for a kernel that no file can tell, which is one from C++.
nlohmann::ordered_json written_workload(const Workload& workload, const std::string& folder);

/// As YAML, below comments with the workload's warnings.
std::string workload_yaml(const Workload& workload, const std::string& folder);

}  // namespace gputlm
