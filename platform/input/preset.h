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
#include "models/dram/config.h"
#include "platform/input/parameters.h"

namespace gputlm {

// A YAML file as compiled into the program (cmake/EmbedPresets.cmake).

struct PresetSource {
  std::string name;
  std::string yaml;
};

// Presets of one kind (GPUs, DRAM devices) and the files of parameters that extend them. The form of a file stands in
// platform/input/preset.h. Everything here throws InputError with file and line.

class YamlNode;

class PresetLibrary {
 public:
  /// `option`: of the command line, which names a preset or file. `folder`: where the presets stand in the source tree,
  /// for messages. `group`: a file may only set parameters of this group (`dram`); empty: all.
  PresetLibrary(const std::vector<PresetSource>& sources, std::string option, std::string folder, std::string group);

  /// Reads a preset of this kind into `config`; returns its description. What is set is noted in `origins`.
  std::string read(const PresetSource& preset, GpuConfig& config, Origins* origins = nullptr) const;
  /// Applies a file, and first the preset it extends. Returns its description, if it has one.
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

// DRAM devices by name, with a controller for them: presets that come with the program (platform/input/presets/dram/), and
// files of the user's own that extend one. A file has the form of a GPU file (platform/input/preset.h), with parameters of
// `dram` only:
//
//   extends: gddr5
//   dram: {channels: 2, timing: {tREFI: 0, tRFC: 0}}
//
// The `dram` section of a GPU file can stand there as it is. Everything here throws InputError with file and line.

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
