#include "platform/input/preset.h"

#include <utility>

#include "platform/input/yaml_reader.h"

namespace gputlm {
namespace {

const PresetLibrary& gpu_library() {
  static const PresetLibrary all(preset_sources(), "--gpu", "platform/input/presets", "");
  return all;
}

GpuConfig named(const std::string& name) {
  GpuConfig config;
  config.name = name;
  return config;
}

}  // namespace

std::vector<PresetInfo> presets() {
  std::vector<PresetInfo> all;
  for (const PresetSource& preset : preset_sources()) {
    PresetInfo info{preset.name, {}, {}};
    info.description = gpu_library().read(preset, info.config);
    all.push_back(std::move(info));
  }
  return all;
}

GpuConfig parse_gpu(const std::string& yaml, const std::string& source) {
  GpuConfig config = named(source);
  gpu_library().read(YamlNode::load_text(yaml, source), config);
  return config;
}

GpuConfig load_gpu(const std::string& preset_or_file, Origins* origins) {
  GpuConfig config = named(preset_or_file);
  gpu_library().load(preset_or_file, config, origins);
  return config;
}

}  // namespace gputlm
