#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/input/preset.h"

namespace gputlm {

/// `gputlm run`.
struct RunCommand {
  std::string input;  ///< workload file or kernelslist.g
  std::string gpu = kDefaultGpu;
  std::vector<std::string> settings;  ///< key=value
  std::uint64_t seed = 1;
  std::string out;
  unsigned window = 0;
  std::uint64_t cycle_limit = 0;  ///< 0: none
  bool check_protocol = false;
  bool json = false;
};

/// Runs it and prints the result; returns the exit code. Throws InputError.
int run(const RunCommand& command);

}  // namespace gputlm
