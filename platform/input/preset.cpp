#include "platform/input/preset.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "platform/input/instances_form.h"
#include "platform/input/nearest.h"
#include "platform/input/parameters.h"
#include "platform/input/yaml_reader.h"
#include "tlm/base/error.h"
#include "tlm/base/text.h"

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

/// Prefixes of keys: "sm", "sm.l1", ...
const std::set<std::string>& groups() {
  static const auto all = [] {
    std::set<std::string> prefixes;
    for (const Parameter& parameter : parameters()) {
      for (auto dot = parameter.name.find('.'); dot != std::string::npos; dot = parameter.name.find('.', dot + 1)) {
        prefixes.insert(parameter.name.substr(0, dot));
      }
    }
    return prefixes;
  }();
  return all;
}

/// Applies the settings of one file; `set_here` collects its keys, however they are written.
void read_value(const std::string& key, const YamlNode& value, GpuConfig& config, std::set<std::string>& set_here,
                Origins* origins) {
  if (value.is_map()) {
    if (groups().count(key) == 0) {
      value.fail("no such group of parameters" +
                 suggestion(key, std::vector<std::string>(groups().begin(), groups().end())));
    }
    for (const auto& [name, node] : value.entries())
      read_value(fmt::format("{}.{}", key, name), node, config, set_here, origins);
    return;
  }
  const Origin origin{value.file(), value.line()};
  const Parameter& parameter = find_parameter(key, origin);
  if (!value.is_scalar()) value.refuse(parameter.allowed());
  if (!set_here.insert(key).second) value.fail("found a second value, allowed: one");
  set_parameter(config, key, value.text(), origin, origins);
}

bool looks_like_a_file(const std::string& name) {
  return name.find('/') != std::string::npos || ends_with(name, ".yaml") || ends_with(name, ".yml") ||
         ends_with(name, ".json");
}

const PresetLibrary& dram_library() {
  static const PresetLibrary all(dram_preset_sources(), "--dram", "platform/input/presets/dram", "dram");
  return all;
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

PresetLibrary::PresetLibrary(const std::vector<PresetSource>& sources, std::string option, std::string folder,
                             std::string group)
    : sources_(sources), option_(std::move(option)), folder_(std::move(folder)), group_(std::move(group)) {}

const PresetSource* PresetLibrary::find(const std::string& name) const {
  const auto found =
      std::find_if(sources_.begin(), sources_.end(), [&](const PresetSource& p) { return p.name == name; });
  return found == sources_.end() ? nullptr : &*found;
}

std::string PresetLibrary::no_such(const std::string& name) const {
  std::vector<KnownName> names;
  for (const PresetSource& preset : sources_) {
    GpuConfig any;
    names.push_back({preset.name, read(preset, any)});
  }
  return fmt::format("no preset '{}'{}", shortened(name), suggestion(name, names));
}

std::string PresetLibrary::read(const PresetSource& preset, GpuConfig& config, Origins* origins) const {
  return read(YamlNode::load_text(preset.yaml, fmt::format("{}/{}.yaml", folder_, preset.name)), config, origins);
}

std::string PresetLibrary::read(const YamlNode& root, GpuConfig& config, Origins* origins) const {
  if (!root.is_map()) {
    root.fail(fmt::format("found no mapping, allowed: a mapping of parameters, such as '{}'",
                          group_.empty() ? "sm: {warps: 64}" : group_ + ": {...}"));
  }
  const auto entries = root.entries();
  for (const auto& [key, value] : entries) {
    if (key != "extends") continue;
    const PresetSource* base = find(value.text());
    if (!base) value.fail(no_such(value.text()));
    read(*base, config, origins);
  }
  std::string description;
  std::set<std::string> set_here;
  for (const auto& [key, value] : entries) {
    if (key == "description") {
      description = value.text();
    } else if (key == "instances" && group_.empty()) {
      config.instances = read_instances(value);
    } else if (key != "extends") {
      if (!group_.empty() && key != group_ && key.rfind(group_ + ".", 0) != 0) {
        value.fail(fmt::format("found '{}', allowed: parameters of {}, extends, description", key, group_));
      }
      read_value(key, value, config, set_here, origins);
    }
  }
  return description;
}

void PresetLibrary::load(const std::string& preset_or_file, GpuConfig& config, Origins* origins) const {
  if (const PresetSource* preset = find(preset_or_file)) {
    read(*preset, config, origins);
  } else if (looks_like_a_file(preset_or_file)) {
    read(YamlNode::load_file(preset_or_file), config, origins);
  } else {
    throw InputError(fmt::format("{} {}", option_, preset_or_file), 0,
                     no_such(preset_or_file) + "; a file's name has a '/' or ends in .yaml, .yml or .json");
  }
}

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
