#include "platform/lab/reference.h"

#include <stdexcept>

#include "platform/input/yaml_reader.h"

namespace gputlm {
namespace {

template <class Found>
void read(const YamlNode& node, const std::string& path, std::string place, Found found) {
  const auto entries = node.entries();
  for (const auto& [key, value] : entries) {
    if (key == "place") place = value.text();
  }
  for (const auto& [key, value] : entries) {
    if (key == "place") continue;
    const std::string here = path.empty() ? key : path + "." + key;
    if (value.is_map()) {
      read(value, here, place, found);
    } else {
      if (place.empty()) value.fail("has no place in the paper");
      found(here, value.text(), place);
    }
  }
}

}  // namespace

Reference::Reference(const std::string& yaml, const std::string& file) : file_(file) {
  read(YamlNode::load_text(yaml, file), "", "",
       [&](const std::string& key, const std::string& text, const std::string& place) {
         facts_[key] = {Quantity::of_text(text), place};
       });
}

const Reference::Fact& Reference::fact(const std::string& key) const {
  const auto found = facts_.find(key);
  if (found == facts_.end()) throw std::logic_error(file_ + " has no '" + key + "'");
  return found->second;
}

const Quantity& Reference::at(const std::string& key) const { return fact(key).value; }
const std::string& Reference::place(const std::string& key) const { return fact(key).place; }

double Reference::number(const std::string& key) const {
  if (const auto number = at(key).number()) return *number;
  throw std::logic_error(file_ + ": '" + key + "' is no number");
}

std::vector<std::string> Reference::keys() const {
  std::vector<std::string> keys;
  for (const auto& [key, fact] : facts_) keys.push_back(key);
  return keys;
}

const Reference& reference(const std::string& paper) {
  static const std::map<std::string, Reference> all = [] {
    std::map<std::string, Reference> read;
    for (const PresetSource& source : reference_sources()) {
      std::string name = source.name;
      for (char& c : name) c = c == '_' ? '-' : c;
      read.emplace(name, Reference(source.yaml, "platform/experiments/" + source.name + "/reference.yaml"));
    }
    return read;
  }();
  const auto found = all.find(paper);
  if (found == all.end()) throw std::logic_error("there is no reference of '" + paper + "'");
  return found->second;
}

}  // namespace gputlm
