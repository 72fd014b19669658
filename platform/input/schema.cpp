#include "platform/input/schema.h"

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

#include "models/policy/policy.h"
#include "platform/input/instances_form.h"
#include "platform/input/parameters.h"
#include "platform/input/preset.h"

/// The schemas of GPU and DRAM files, from the table of parameters (platform/input/parameters.h). A file may nest groups or
/// use dotted names, also within a group: each group accepts the rest of every key that begins with it.
namespace gputlm {

Registry<Schema>& schemas() {
  static Registry<Schema> registry("schema");
  return registry;
}

nlohmann::ordered_json schema_document(const Schema& schema) {
  nlohmann::ordered_json document{{"$schema", "http://json-schema.org/draft-07/schema#"},
                                  {"title", "gputlm " + schema.name},
                                  {"description", schema.description}};
  document.update(schema.make());
  return document;
}

}  // namespace gputlm

namespace gputlm::schema {
namespace {

// C0, DEL and C1, as find_control_character() (tlm/base/utf8.h).
constexpr const char* kControlCharacter = "[\\u0000-\\u001f\\u007f-\\u009f]";

Json printable(Json form) {
  form["minLength"] = 1;
  form["not"] = {{"type", "string"}, {"pattern", kControlCharacter}};
  return form;
}

}  // namespace

Json matching(const std::string& pattern) { return printable({{"type", "string"}, {"pattern", pattern}}); }

Json text() { return printable({{"type", {"string", "number", "boolean"}}}); }

Json boolean() { return {{"type", "boolean"}}; }

Json whole_number(std::uint64_t least, std::uint64_t most) {
  return {{"type", "integer"}, {"minimum", least}, {"maximum", most}};
}

Json signed_number(std::int64_t least, std::int64_t most) {
  return {{"type", "integer"}, {"minimum", least}, {"maximum", most}};
}

Json number(double least, double most) { return {{"type", "number"}, {"minimum", least}, {"maximum", most}}; }

Json bytes(Bytes least, Bytes most) { return any_of({whole_number(least, most), bytes_with_unit()}); }

Json bytes_with_unit() { return matching("^(0[xX][0-9a-fA-F]+|[0-9]+) *(KiB|MiB|GiB)$"); }

Json one_of(const std::vector<std::string>& names) { return {{"enum", names}}; }

Json list(const Json& item, std::size_t least) {
  Json form{{"type", "array"}, {"items", item}};
  if (least > 0) form["minItems"] = least;
  return form;
}

Json named(const Json& value) {
  return {{"type", "object"}, {"propertyNames", printable(Json::object())}, {"additionalProperties", value}};
}

Json reference(const std::string& name) { return {{"$ref", "#/definitions/" + name}}; }

Json mapping(const std::vector<Key>& keys) {
  Json form{{"type", "object"}, {"properties", Json::object()}};
  Json required = Json::array();
  for (const Key& key : keys) {
    std::string meaning = key.meaning;
    if (key.default_value) meaning += (meaning.empty() ? "Default " : "; default ") + key.default_text();
    form["properties"][key.name] = described(key.form, meaning);
    if (key.required) required.push_back(key.name);
  }
  if (!required.empty()) form["required"] = std::move(required);
  form["additionalProperties"] = false;
  return form;
}

Json not_together(const std::vector<std::string>& keys) { return {{"not", {{"required", keys}}}}; }

Json any_key(const std::vector<std::string>& keys) {
  std::vector<Json> forms;
  forms.reserve(keys.size());
  for (const std::string& key : keys) forms.push_back({{"required", {key}}});
  return any_of(forms);
}

Json any_of(const std::vector<Json>& forms) { return {{"anyOf", forms}}; }

Json described(Json form, const std::string& meaning) {
  if (!meaning.empty()) form["description"] = meaning;
  return form;
}

}  // namespace gputlm::schema

namespace gputlm {
namespace {

using schema::Json;

Json integer(const Parameter& parameter) {
  if (parameter.shape != Field::Shape::kPowerOfTwo) {
    Json form = parameter.unit == "bytes" ? schema::bytes(parameter.least, parameter.most)
                                          : schema::whole_number(parameter.least, parameter.most);
    if (parameter.shape == Field::Shape::kMultipleOf32) form["multipleOf"] = 32;
    return form;
  }
  Json powers = Json::array();
  for (std::uint64_t power = 1; power <= parameter.most; power *= 2) {
    if (power >= parameter.least) powers.push_back(power);
  }
  Json form{{"enum", powers}};
  return parameter.unit == "bytes" ? schema::any_of({form, schema::bytes_with_unit()}) : form;
}

/// The allowed values of the parameter, with meaning and unit.
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
    form = schema::number(static_cast<double>(parameter.least), static_cast<double>(parameter.most));
  } else if (parameter.is_number()) {
    form = integer(parameter);
  } else {
    form = schema::text();
    form["maxLength"] = 200;
  }
  return schema::described(form, parameter.meaning + (parameter.unit.empty() ? "" : " [" + parameter.unit + "]"));
}

/// `group_key`: "" or "sm.", "sm.l1." ...
Json group(const std::string& group_key) {
  Json properties = Json::object();
  std::set<std::string> groups;
  for (const Parameter& parameter : parameters()) {
    if (parameter.name.rfind(group_key, 0) != 0) continue;
    const std::string rest = parameter.name.substr(group_key.size());
    for (std::size_t dot = rest.find('.'); dot != std::string::npos; dot = rest.find('.', dot + 1)) {
      const std::string inner = rest.substr(0, dot);
      if (groups.insert(inner).second) properties[inner] = schema::reference(group_key + inner + ".");
    }
    properties[rest] = schema::reference(parameter.name);
  }
  return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
}

/// Presets, and all parameters whose keys begin with `prefix`.
Json file_schema(const std::vector<std::string>& presets, const std::string& prefix) {
  Json definitions = parameter_definitions(prefix);
  for (const Parameter& parameter : parameters()) {
    if (parameter.name.rfind(prefix, 0) != 0) continue;
    for (std::size_t dot = parameter.name.find('.'); dot != std::string::npos;
         dot = parameter.name.find('.', dot + 1)) {
      const std::string of = parameter.name.substr(0, dot + 1);
      if (!definitions.contains(of)) definitions[of] = group(of);
    }
  }
  Json form = group("");
  Json properties{
      {"extends", schema::described(schema::one_of(presets), "The preset whose values hold where none is given")},
      {"description", schema::described(schema::text(), "Description of the file in one line")}};
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
             instances_schema(), "Instances that it is divided into, by name, as by MIG; `3g` for {profile: 3g}");
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
    if (parameter.name.rfind(prefix, 0) == 0) definitions[parameter.name] = parameter_form(parameter);
  }
  return definitions;
}

}  // namespace gputlm
