/// Presets of one kind (GPUs, DRAM devices) and the files of parameters that extend them. The form of a file stands in
/// platform/input/preset.h. Everything here throws InputError with file and line.
#pragma once

#include <string>
#include <vector>

#include "models/config.h"
#include "platform/input/parameters.h"
#include "platform/input/preset_source.h"

namespace gputlm {

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

}  // namespace gputlm
