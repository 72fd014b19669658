/// Runs on an H100 of two GPCs with four SMs each.
#pragma once

#include "tests/integration/program.h"

namespace gputlm {

/// `input`: a path. The output is in the subfolder `out` of the folder.
inline Outcome run_on_small_hopper(const TestFolder& folder, const std::string& input,
                                   const std::vector<std::string>& more = {}) {
  std::vector<std::string> options{"run",   input,           "--gpu",   "h100_sxm", "--set",           "sms=8",
                                   "--set", "sms_per_gpc=4", "--force", "--out",    folder.path("out")};
  options.insert(options.end(), more.begin(), more.end());
  return run_program(options);
}

inline std::vector<std::string> without_clusters() {
  return {"--set", "work_distributor.cluster_blocks=1", "--set", "work_distributor.non_portable_cluster_blocks=1"};
}

}  // namespace gputlm
