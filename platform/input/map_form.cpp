#include "platform/input/map_form.h"

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

MapForm& MapForm::not_together(std::vector<std::string> names, std::string message) {
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
  std::vector<schema::Key> keys;
  for (const Key& key : keys_) {
    std::string meaning = key.meaning;
    if (!key.standard.empty()) meaning += (meaning.empty() ? "Default " : "; default ") + key.standard;
    keys.push_back({key.name, key.form, std::move(meaning), key.required});
  }
  Json form = schema::mapping(keys);
  for (const Rule& rule : rules_) {
    if (rule.say) rule.say(form);
  }
  return form;
}

}  // namespace gputlm
