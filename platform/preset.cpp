#include "platform/preset.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "platform/nearest.h"
#include "platform/parameters.h"
#include "platform/yaml_reader.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

const PresetSource* find_preset(const std::string& name) {
  const auto& all = preset_sources();
  const auto found = std::find_if(all.begin(), all.end(), [&](const PresetSource& p) { return p.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::string no_such_preset(const std::string& name) {
  std::vector<std::string> names;
  for (const PresetSource& preset : preset_sources()) names.push_back(preset.name);
  return fmt::format("no preset '{}'{}", name, suggestion(name, names));
}

YamlNode load_preset(const PresetSource& preset) {
  return YamlNode::load_text(preset.yaml, fmt::format("platform/presets/{}.yaml", preset.name));
}

/// Keys that begin other keys: "sm", "sm.l1", ...
const std::set<std::string>& groups() {
  static const auto all = [] {
    std::set<std::string> prefixes;
    for (const Parameter& parameter : parameters()) {
      for (auto dot = parameter.key.find('.'); dot != std::string::npos; dot = parameter.key.find('.', dot + 1)) {
        prefixes.insert(parameter.key.substr(0, dot));
      }
    }
    return prefixes;
  }();
  return all;
}

/// Sets what one file says; `set_here` holds the keys it has set, however they were written.
void read_value(const std::string& key, const YamlNode& value, GpuConfig& config, std::set<std::string>& set_here) {
  if (value.is_map()) {
    if (groups().count(key) == 0) {
      value.fail("no such group of parameters" + suggestion(key, {groups().begin(), groups().end()}));
    }
    for (const auto& [name, node] : value.entries())
      read_value(fmt::format("{}.{}", key, name), node, config, set_here);
    return;
  }
  const Origin origin{value.file(), value.line()};
  const Parameter& parameter = find_parameter(key, origin);
  if (!value.is_scalar()) {
    value.fail(fmt::format("found {}, allowed: {}", value.is_null() ? "nothing" : "a list", parameter.allowed()));
  }
  if (!set_here.insert(key).second) value.fail("found a second value, allowed: one");
  set_parameter(config, key, value.text(), origin);
}

/// Applies a file, and first the preset it extends. Returns its description, if it has one.
std::string read_gpu(const YamlNode& root, GpuConfig& config) {
  if (!root.is_map()) root.fail("found no mapping, allowed: a mapping of parameters, such as 'sm: {warps: 64}'");
  const auto entries = root.entries();
  for (const auto& [key, value] : entries) {
    if (key != "extends") continue;
    const PresetSource* base = find_preset(value.text());
    if (!base) value.fail(no_such_preset(value.text()));
    read_gpu(load_preset(*base), config);
  }
  std::string description;
  std::set<std::string> set_here;
  for (const auto& [key, value] : entries) {
    if (key == "description") {
      description = value.text();
    } else if (key != "extends") {
      read_value(key, value, config, set_here);
    }
  }
  return description;
}

GpuConfig gpu_of(const YamlNode& root, const std::string& name) {
  GpuConfig config;
  config.name = name;
  read_gpu(root, config);
  return config;
}

bool looks_like_a_file(const std::string& name) {
  const auto ends_with = [&](const std::string& suffix) {
    return name.size() > suffix.size() && name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0;
  };
  return name.find('/') != std::string::npos || ends_with(".yaml") || ends_with(".yml") || ends_with(".json");
}

}  // namespace

std::vector<PresetInfo> presets() {
  std::vector<PresetInfo> all;
  for (const PresetSource& preset : preset_sources()) {
    PresetInfo info{preset.name, {}, {}};
    info.description = read_gpu(load_preset(preset), info.config);
    all.push_back(std::move(info));
  }
  return all;
}

GpuConfig parse_gpu(const std::string& yaml, const std::string& source) {
  return gpu_of(YamlNode::load_text(yaml, source), source);
}

GpuConfig load_gpu(const std::string& preset_or_file) {
  if (const PresetSource* preset = find_preset(preset_or_file)) return gpu_of(load_preset(*preset), preset->name);
  if (looks_like_a_file(preset_or_file)) return gpu_of(YamlNode::load_file(preset_or_file), preset_or_file);
  throw InputError("--gpu " + preset_or_file, 0,
                   no_such_preset(preset_or_file) + "; a file's name has a '/' or ends in .yaml, .yml or .json");
}

}  // namespace gputlm
