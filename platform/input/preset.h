/// GPUs by name: the presets that come with the program, and files of the user's own that extend one (docs/gpu.md).
///
/// A GPU file is one YAML mapping of parameters (`list parameters`), nested (`sm: {warps: 64}`) or dotted
/// (`sm.warps: 64`), and two keys more: `extends`, the preset that gives all values not set here, and `description`.
/// The presets are such files too (platform/input/presets/), compiled into the program; each value there names its source.
/// Sizes in bytes may be written as 48KiB or 2MiB. For example:
///
///   extends: xavier
///   name: xavier_small_l1          # in reports; without it, that of the preset
///   sm: {warp_scheduler: gto, l1: {bytes: 16KiB}}
///   dram.scheduler: fcfs
///
/// Without `extends` the defaults of models/*/config.h hold. Everything here throws InputError with file and line.
#pragma once

#include <string>
#include <vector>

#include "models/config.h"
#include "platform/input/preset_library.h"

namespace gputlm {

/// The GPU of a command without `--gpu`.
inline constexpr const char* kDefaultGpu = "rtx2060";

/// All presets, by name. Generated from platform/input/presets/*.yaml by cmake/EmbedPresets.cmake.
const std::vector<PresetSource>& preset_sources();

/// What `list gpus` shows of a preset.
struct PresetInfo {
  std::string name;
  std::string description;
  GpuConfig config;
};

std::vector<PresetInfo> presets();

/// The GPU that `--gpu` names: a preset, or else a file (its name has a `/` or ends in .yaml, .yml or .json).
/// The result is not yet validated: `--set` may still change it.
GpuConfig load_gpu(const std::string& preset_or_file, Origins* origins = nullptr);

/// The GPU that a YAML text describes; `source` is its name in messages, and the GPU's where the text has none.
GpuConfig parse_gpu(const std::string& yaml, const std::string& source);

}  // namespace gputlm
