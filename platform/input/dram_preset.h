/// DRAM devices by name, with a controller for them: presets that come with the program (platform/input/presets/dram/), and
/// files of the user's own that extend one. A file has the form of a GPU file (platform/input/preset.h), with parameters of
/// `dram` only:
///
///   extends: gddr5
///   dram: {channels: 2, timing: {tREFI: 0, tRFC: 0}}
///
/// The `dram` section of a GPU file can stand there as it is. Everything here throws InputError with file and line.
#pragma once

#include <string>
#include <vector>

#include "models/dram/config.h"
#include "platform/input/preset_library.h"

namespace gputlm {

/// All DRAM presets, by name. Generated from platform/input/presets/dram/*.yaml by cmake/EmbedPresets.cmake.
const std::vector<PresetSource>& dram_preset_sources();

struct DramPresetInfo {
  std::string name;
  std::string description;
  DramConfig config;
};

std::vector<DramPresetInfo> dram_presets();

/// The device that `--dram` names: a preset, or else a file (its name has a `/` or ends in .yaml, .yml or .json).
/// The result is not yet checked (contradiction()): `--set` may still change it.
DramConfig load_dram(const std::string& preset_or_file, Origins* origins = nullptr);

/// The device that a YAML text describes; `source` is its name in messages.
DramConfig parse_dram(const std::string& yaml, const std::string& source);

}  // namespace gputlm
