#include "platform/input/map_form.h"

#include <fmt/format.h>

#include <algorithm>

namespace gputlm {

MapForm& MapForm::changed() {
  names_.clear();
  for (const Key& key : keys_) names_.push_back(key.name);
  return *this;
}

MapForm& MapForm::with(const MapForm& other) {
  keys_.insert(keys_.end(), other.keys_.begin(), other.keys_.end());
  rules_.insert(rules_.end(), other.rules_.begin(), other.rules_.end());
  return changed();
}

MapForm& MapForm::without(const std::string& name, const std::string& message) {
  keys_.erase(std::remove_if(keys_.begin(), keys_.end(), [&](const Key& key) { return key.name == name; }),
              keys_.end());
  absent_.emplace_back(name, message);
  return changed();
}

MapForm& MapForm::restrict(const std::string& name, Json form) {
  std::find_if(keys_.begin(), keys_.end(), [&](const Key& key) { return key.name == name; })->form = std::move(form);
  return *this;
}

MapForm& MapForm::not_together(const std::vector<std::string>& names, const std::string& message) {
  return rule({[names, message](const YamlMap& map) {
                 const auto has = [&](const std::string& name) { return map.find(name).has_value(); };
                 if (std::all_of(names.begin(), names.end(), has)) map.at(names.front()).fail(message);
               },
               [names](Json& schema) { schema["allOf"].push_back(schema::not_together(names)); }});
}

MapForm& MapForm::at_most_one(const std::vector<std::string>& names) {
  for (auto one = names.begin(); one != names.end(); ++one) {
    for (auto other = one + 1; other != names.end(); ++other)
      not_together({*one, *other}, "an " + name_ + " has '" + *one + "' or '" + *other + "', not both");
  }
  return *this;
}

YamlMap MapForm::read(const YamlNode& node) const {
  for (const auto& [name, message] : absent_) {
    if (!node.is_map()) break;
    for (const auto& [key, value] : node.entries()) {
      if (key == name) value.fail(message);
    }
  }
  YamlMap map(node, names_);
  for (const Key& key : keys_) {
    if (key.required) map.at(key.name);
  }
  for (const Rule& rule : rules_) {
    if (rule.check) rule.check(map);
  }
  return map;
}

MapForm::Json MapForm::schema() const {
  Json form = schema::mapping(keys_);
  for (const Rule& rule : rules_) {
    if (rule.say) rule.say(form);
  }
  return form;
}

std::optional<FieldValue> map_form_detail::default_value(const MapForm::Json& written) {
  if (written.is_null() || written.empty() || written == Json("")) return std::nullopt;
  return written.is_string() ? written.get<std::string>() : written.dump();
}

}  // namespace gputlm

namespace gputlm::forms {
namespace {

std::vector<std::string> powers_of(const PowerOfTwo& form) {
  std::vector<std::string> powers;
  for (unsigned power = form.least; power <= form.most; power *= 2) powers.push_back(std::to_string(power));
  return powers;
}

std::string bound(const Json& value) {
  return value.is_number_float() ? fmt::format("{:g}", value.get<double>()) : value.dump();
}

}  // namespace

Json schema_of(const PowerOfTwo& form) {
  Json powers = Json::array();
  for (unsigned power = form.least; power <= form.most; power *= 2) powers.push_back(power);
  return {{"enum", powers}};
}

Json schema_of(const WholeList& form) {
  const Json one = schema::whole_number(form.least, form.most);
  Json several = schema::list(one);
  several["maxItems"] = form.count;
  return schema::any_of({one, several});
}

Json schema_of(const Dimensions& form) {
  Json items = Json::array();
  for (const std::uint64_t most : form.most) items.push_back(schema::whole_number(1, most));
  return schema::any_of({items[0], {{"type", "array"}, {"items", items}, {"additionalItems", false}, {"minItems", 1}}});
}

Json schema_of_ids(std::size_t count) {
  const Json item = schema::any_of({schema::whole_number(0, count - 1), schema::matching("^[0-9]+(-[0-9]+)?$")});
  return schema::any_of({item, schema::list(item, 1)});
}

Femtoseconds read(const YamlNode& node, const Microseconds& form) {
  node.number(form.least, form.most);
  return *parse_microseconds(node.text());  // accepts what number() accepts
}

unsigned read(const YamlNode& node, const PowerOfTwo& form) { return form.least << node.one_of(powers_of(form)); }

std::vector<std::uint8_t> read(const YamlNode& node, const WholeList& form) {
  std::vector<std::uint8_t> values;
  for (const YamlNode& item : node.is_list() ? node.items() : std::vector<YamlNode>{node})
    values.push_back(static_cast<std::uint8_t>(item.unsigned_number(form.least, form.most)));
  if (values.size() > form.count)
    node.fail(fmt::format("found {} registers, but at most {} are allowed", values.size(), form.count));
  return values;
}

Dim3 read(const YamlNode& node, const Dimensions& form) {
  std::uint32_t size[3] = {1, 1, 1};
  const std::vector<YamlNode> items = node.is_list() ? node.items() : std::vector<YamlNode>{node};
  if (items.empty() || items.size() > 3)
    node.fail(fmt::format("found {} dimensions, but 1 to 3 are allowed", items.size()));
  for (std::size_t i = 0; i < items.size(); ++i)
    size[i] = static_cast<std::uint32_t>(items[i].unsigned_number(1, form.most[i]));
  return {size[0], size[1], size[2]};
}

Json written(const Microseconds&, Femtoseconds value) {
  const double us = static_cast<double>(value) / 1e9;
  const Json number = us;
  if (parse_microseconds(number.dump()) != value) return microseconds_text(value);
  return us == static_cast<double>(static_cast<std::uint64_t>(us)) ? Json(static_cast<std::uint64_t>(us)) : number;
}

Json written(const Dimensions&, const Dim3& value) {
  if (value.y == 1 && value.z == 1) return value.x;
  if (value.z == 1) return {value.x, value.y};
  return {value.x, value.y, value.z};
}

std::string allowed(const Json& schema) {
  if (schema.contains("anyOf")) {
    std::string text;
    for (const Json& form : schema["anyOf"]) {
      const std::string one = allowed(form);
      if (!one.empty()) text += (text.empty() ? "" : " or ") + one;
    }
    return text;
  }
  if (schema.contains("enum")) {
    std::string text;
    for (const Json& value : schema["enum"])
      text += (text.empty() ? "" : ", ") + (value.is_string() ? value.get<std::string>() : value.dump());
    return text;
  }
  if (schema.contains("const"))
    return schema["const"].is_string() ? schema["const"].get<std::string>() : schema["const"].dump();
  if (schema.contains("$ref")) return schema["$ref"].get<std::string>().substr(std::string("#/definitions/").size());
  if (schema.contains("minimum")) return bound(schema["minimum"]) + " to " + bound(schema["maximum"]);
  if (!schema.contains("type")) return "";
  const Json& type = schema["type"];
  if (type == "boolean") return "true, false";
  if (type == "array") return "list" + (schema["items"].is_object() ? " of " + allowed(schema["items"]) : "");
  if (type == "object") return "mapping";
  return type == "null" ? "" : "text";
}

}  // namespace gputlm::forms
