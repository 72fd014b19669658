/// The programs that share a GPU: each is an application of a workload file, converted from any kind of file.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/config.h"

namespace gputlm {

struct SharedProgram {
  std::string name;
  std::string format;                  ///< of its file (platform/input/run_input.h)
  nlohmann::ordered_json application;  ///< its entry in `applications`
};

struct SharedPrograms {
  std::vector<SharedProgram> programs;
  std::vector<std::string> settings;  ///< parameters that workload files set, key=value
};

/// `inputs`: FILE or NAME=FILE: captures, traces, and workload files; each application of the latter is a program. `keys`:
/// PROGRAM.KEY=VALUE, or KEY=VALUE for all programs, sets a key of the program's entry; a repeated key makes a list. Throws
/// InputError for a file that cannot be an application, two programs of one name, and an unknown program.
SharedPrograms shared_programs(const std::vector<std::string>& inputs, const std::vector<std::string>& keys,
                               const GpuConfig& gpu, std::uint64_t seed);

}  // namespace gputlm
