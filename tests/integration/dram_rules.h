/// The rules of a DRAM device, checked for the commands that a run has issued (`--probe commands`). They follow the meaning of
/// each parameter (JESD212, JESD235), not the model's table of constraints, which they do not use. Each command is checked
/// once.
#pragma once

#include <cstdint>
#include <istream>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gputlm {

struct CheckedCommands {
  std::uint64_t activates = 0, precharges = 0, reads = 0, writes = 0, refreshes = 0;
  /// The first broken rule, and the line; empty if there is none.
  std::string violation;
};

/// `csv`: commands.csv. `dram`: the section `dram` of a configuration as result.json has it.
CheckedCommands check_commands(std::istream& csv, const nlohmann::json& dram);

}  // namespace gputlm
