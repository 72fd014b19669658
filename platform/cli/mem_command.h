/// `gputlm mem`: an address trace on DRAM controllers alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/run/trace_player.h"

namespace gputlm {

struct MemCommand {
  std::string trace;                  ///< see platform/input/address_trace.h
  std::string dram = "gddr5";         ///< preset or file (platform/input/dram_preset.h)
  std::vector<std::string> settings;  ///< dram.* and address_map.*, key=value
  std::optional<unsigned> channels;   ///< none: those of the device
  std::optional<Bytes> bytes;         ///< of an access; none: one burst
  PlayerConfig player;                ///< but for the bytes
  std::uint64_t seed = 1;
  std::string out;  ///< folder for files; empty: none
  bool commands = false;
  bool check_protocol = false;
  bool json = false;
};

/// Returns the exit code. Throws InputError for anything a user can put right.
int mem(const MemCommand& command);

}  // namespace gputlm
