/// GPUs by name: the presets of the program, and the user's own files that extend them (docs/gpu.md).
///
/// A GPU file is one YAML mapping of parameters (`list parameters`), nested (`sm: {warps: 64}`) or dotted (`sm.warps: 64`),
/// with two more keys: `extends`, the preset that supplies all values not set here, and `description`. The presets are such
/// files too (platform/input/presets/), compiled into the program; each value there names its source. Sizes in bytes may be
/// written as 48KiB or 2MiB. For example:
///
///   extends: xavier
///   name: xavier_small_l1          # in reports; without it, that of the preset
///   sm: {warp_scheduler: gto, l1: {bytes: 16KiB}}
///   dram.scheduler: fcfs
///
/// Without `extends` the defaults of models/*/config.h apply. Everything here throws InputError with file and line.
#pragma once

#include <string>
#include <vector>

#include "models/config.h"
#include "models/dram/config.h"
#include "platform/input/parameters.h"

namespace gputlm {

// A YAML file compiled into the program (cmake/EmbedPresets.cmake).

struct PresetSource {
  std::string name;
  std::string yaml;
};

// Presets of one kind (GPUs, DRAM devices) and the parameter files that extend them. platform/input/preset.h describes the
// form of a file. Everything here throws InputError with file and line.

class YamlNode;

class PresetLibrary {
 public:
  /// `option`: the command-line option that names a preset or file. `folder`: the folder of the presets in the source tree,
  /// for messages. `group`: a file may set only parameters of this group (`dram`); empty: all.
  PresetLibrary(const std::vector<PresetSource>& sources, std::string option, std::string folder, std::string group);

  /// Reads a preset of this kind into `config` and returns its description. Notes in `origins` what it sets.
  std::string read(const PresetSource& preset, GpuConfig& config, Origins* origins = nullptr) const;
  /// Applies a file after the preset that it extends. Returns its description, if it has one.
  std::string read(const YamlNode& root, GpuConfig& config, Origins* origins = nullptr) const;
  /// Reads what the option names: a preset, or else a file (its name has a `/` or ends in .yaml, .yml or .json).
  void load(const std::string& preset_or_file, GpuConfig& config, Origins* origins = nullptr) const;

 private:
  const PresetSource* find(const std::string& name) const;
  std::string no_such(const std::string& name) const;

  const std::vector<PresetSource>& sources_;
  std::string option_, folder_, group_;
};

/// The GPU of a command without `--gpu`.
inline constexpr const char* kDefaultGpu = "rtx2060";

/// All presets, by name. Generated from platform/input/presets/*.yaml by cmake/EmbedPresets.cmake.
const std::vector<PresetSource>& preset_sources();

/// The entry of a preset in `list gpus`.
struct PresetInfo {
  std::string name;
  std::string description;
  GpuConfig config;
};

std::vector<PresetInfo> presets();

/// The GPU that `--gpu` names: a preset, or else a file (its name has a `/` or ends in .yaml, .yml or .json). The result is
/// not validated yet: `--set` may still change it.
GpuConfig load_gpu(const std::string& preset_or_file, Origins* origins = nullptr);

/// The GPU that a YAML text describes; `source` is its name in messages, and the GPU's name if the text gives none.
GpuConfig parse_gpu(const std::string& yaml, const std::string& source);

// DRAM devices by name, with a controller: the presets of the program (platform/input/presets/dram/), and the user's own
// files that extend them. A file has the form of a GPU file (platform/input/preset.h), with parameters of `dram` only:
//
//   extends: gddr5
//   dram: {channels: 2, timing: {tREFI: 0, tRFC: 0}}
//
// The `dram` section of a GPU file can be used there unchanged. Everything here throws InputError with file and line.

/// All DRAM presets, by name. Generated from platform/input/presets/dram/*.yaml by cmake/EmbedPresets.cmake.
const std::vector<PresetSource>& dram_preset_sources();

struct DramPresetInfo {
  std::string name;
  std::string description;
  DramConfig config;
};

std::vector<DramPresetInfo> dram_presets();

/// The device that `--dram` names: a preset, or else a file (its name has a `/` or ends in .yaml, .yml or .json). The result
/// is not checked yet (contradiction()): `--set` may still change it.
DramConfig load_dram(const std::string& preset_or_file, Origins* origins = nullptr);

/// The device that a YAML text describes; `source` is its name in messages.
DramConfig parse_dram(const std::string& yaml, const std::string& source);

}  // namespace gputlm
