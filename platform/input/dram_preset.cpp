#include "platform/input/dram_preset.h"

#include "platform/input/yaml_reader.h"

namespace gputlm {
namespace {

const PresetLibrary& dram_library() {
  static const PresetLibrary all(dram_preset_sources(), "--dram", "platform/input/presets/dram", "dram");
  return all;
}

}  // namespace

std::vector<DramPresetInfo> dram_presets() {
  std::vector<DramPresetInfo> all;
  for (const PresetSource& preset : dram_preset_sources()) {
    GpuConfig config;
    const std::string description = dram_library().read(preset, config);
    all.push_back({preset.name, description, config.dram});
  }
  return all;
}

DramConfig load_dram(const std::string& preset_or_file, Origins* origins) {
  GpuConfig config;
  dram_library().load(preset_or_file, config, origins);
  return config.dram;
}

DramConfig parse_dram(const std::string& yaml, const std::string& source) {
  GpuConfig config;
  dram_library().read(YamlNode::load_text(yaml, source), config);
  return config.dram;
}

}  // namespace gputlm
