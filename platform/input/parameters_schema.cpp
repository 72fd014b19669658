/// The schemas of GPU and DRAM files, from the table of parameters (platform/input/parameters.h). A file may nest groups
/// or name parameters with their dots, also within a group: each group knows the rest of every key that begins with it.
#include <set>
#include <string>

#include "models/kernel/instruction.h"
#include "models/policy/policy.h"
#include "platform/input/dram_preset.h"
#include "platform/input/instances_form.h"
#include "platform/input/parameters.h"
#include "platform/input/parameters_schema.h"
#include "platform/input/preset.h"
#include "platform/input/schema.h"
#include "platform/input/schema_forms.h"

namespace gputlm {
namespace {

using schema::Json;

Json integer(const Parameter& parameter) {
  if (parameter.shape != Shape::kPowerOfTwo) {
    Json form = parameter.unit == "bytes" ? schema::bytes(parameter.min, parameter.max)
                                          : schema::whole_number(parameter.min, parameter.max);
    if (parameter.shape == Shape::kWholeWarps) form["multipleOf"] = kWarpSize;
    return form;
  }
  Json powers = Json::array();
  for (std::uint64_t power = 1; power <= parameter.max; power *= 2) {
    if (power >= parameter.min) powers.push_back(power);
  }
  Json form{{"enum", powers}};
  return parameter.unit == "bytes" ? schema::any_of({form, schema::bytes_with_unit()}) : form;
}

/// What the parameter may be, with its meaning and unit.
Json parameter_form(const Parameter& parameter) {
  Json form;
  const std::string type = parameter.type();
  if (!parameter.decision.empty()) {
    std::vector<std::string> names;
    for (const PolicyInfo* const policy : decision(parameter.decision).policies()) names.push_back(policy->name);
    form = schema::one_of(names);
  } else if (type == "boolean") {
    form = schema::boolean();
  } else if (type == "real") {
    form = schema::number(static_cast<double>(parameter.min), static_cast<double>(parameter.max));
  } else if (parameter.is_number()) {
    form = integer(parameter);
  } else {
    form = schema::text();
    form["maxLength"] = 200;
  }
  return schema::described(form, parameter.description + (parameter.unit.empty() ? "" : " [" + parameter.unit + "]"));
}

/// `group_key`: "" or "sm.", "sm.l1." ...
Json group(const std::string& group_key) {
  Json properties = Json::object();
  std::set<std::string> groups;
  for (const Parameter& parameter : parameters()) {
    if (parameter.key.rfind(group_key, 0) != 0) continue;
    const std::string rest = parameter.key.substr(group_key.size());
    for (std::size_t dot = rest.find('.'); dot != std::string::npos; dot = rest.find('.', dot + 1)) {
      const std::string inner = rest.substr(0, dot);
      if (groups.insert(inner).second) properties[inner] = schema::reference(group_key + inner + ".");
    }
    properties[rest] = schema::reference(parameter.key);
  }
  return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
}

/// Presets, and all parameters whose keys begin with `prefix`.
Json file_schema(const std::vector<std::string>& presets, const std::string& prefix) {
  Json definitions = parameter_definitions(prefix);
  for (const Parameter& parameter : parameters()) {
    if (parameter.key.rfind(prefix, 0) != 0) continue;
    for (std::size_t dot = parameter.key.find('.'); dot != std::string::npos; dot = parameter.key.find('.', dot + 1)) {
      const std::string of = parameter.key.substr(0, dot + 1);
      if (!definitions.contains(of)) definitions[of] = group(of);
    }
  }
  Json form = group("");
  Json properties{
      {"extends", schema::described(schema::one_of(presets), "The preset whose values hold where none is given")},
      {"description", schema::described(schema::text(), "What the file describes, in a line")}};
  for (const auto& [key, value] : form["properties"].items()) {
    if ((key + ".").rfind(prefix, 0) == 0) properties[key] = value;
  }
  form["properties"] = properties;
  form["definitions"] = definitions;
  return form;
}

template <class Presets>
std::vector<std::string> names_of(const Presets& presets) {
  std::vector<std::string> names;
  names.reserve(presets.size());
  for (const auto& preset : presets) names.push_back(preset.name);
  return names;
}

GPUTLM_REGISTER {
  schemas().add(
      {{"gpu"}, "A GPU: parameters (gputlm list parameters), nested or with dots, over those of a preset", [] {
         Json form = file_schema(names_of(preset_sources()), "");
         form["properties"]["instances"] = schema::described(
             instances_schema(), "That it is divided into, by name, as MIG does; `3g` for {profile: 3g}");
         form["definitions"]["instance"] = instance_form().schema();
         return form;
       }});
  schemas().add({{"dram"},
                 "A DRAM device and its controller: parameters of dram, nested or with dots, over those of a preset",
                 [] { return file_schema(names_of(dram_preset_sources()), "dram."); }});
}

}  // namespace

Json parameter_definitions(const std::string& prefix) {
  Json definitions = Json::object();
  for (const Parameter& parameter : parameters()) {
    if (parameter.key.rfind(prefix, 0) == 0) definitions[parameter.key] = parameter_form(parameter);
  }
  return definitions;
}

}  // namespace gputlm
