/// The programs that are to share a GPU: each an application of a workload file, whatever file it comes from.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/config.h"

namespace gputlm {

struct SharedProgram {
  std::string name;
  std::string format;                  ///< of its file (platform/input/run_input.h)
  nlohmann::ordered_json application;  ///< its entry of `applications`
};

struct SharedPrograms {
  std::vector<SharedProgram> programs;
  std::vector<std::string> settings;  ///< parameters that workload files ask for, key=value
};

/// `inputs`: FILE or NAME=FILE: captures, traces, and workload files, of which each application is a program. `keys`:
/// PROGRAM.KEY=VALUE, or KEY=VALUE for all programs: of the program's entry; given again, a list. Throws InputError for a file that no application
/// can be, two programs of one name, and a program that there is not.
SharedPrograms shared_programs(const std::vector<std::string>& inputs, const std::vector<std::string>& keys,
                               const GpuConfig& gpu, std::uint64_t seed);

}  // namespace gputlm
