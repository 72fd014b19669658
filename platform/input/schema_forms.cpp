#include "platform/input/schema_forms.h"

#include <utility>

namespace gputlm::schema {
namespace {

// C0, DEL and C1, as find_control_character() (tlm/utf8.h).
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
    form["properties"][key.name] = described(key.form, key.meaning);
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
