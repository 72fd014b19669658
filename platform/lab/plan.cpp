#include "platform/lab/plan.h"

#include <algorithm>
#include <stdexcept>

#include "platform/input/yaml_reader.h"
#include "tlm/numbers.h"

namespace gputlm {
namespace {

std::vector<std::string> texts(const YamlNode& list) {
  std::vector<std::string> all;
  for (const YamlNode& item : list.items()) all.push_back(item.text());
  return all;
}

}  // namespace

Plan::Plan(const std::string& yaml, const std::string& file, const ExperimentOptions& options) : file_(file) {
  read(YamlNode::load_text(yaml, file), options.quick);
  for (auto& [what, values] : vary_) {
    for (std::string& value : values) value = options.policy(value);
  }
}

void Plan::read(const YamlNode& node, bool quick) {
  const YamlMap map(node, {"gpu", "set", "vary", "workloads", "texts", "quick"});
  if (const auto gpu = map.find("gpu")) gpu_ = gpu->text();
  if (const auto set = map.find("set")) {
    for (const auto& [parameter, value] : set->entries()) set_[parameter] = value.text();
  }
  if (const auto vary = map.find("vary")) {
    for (const auto& [what, values] : vary->entries()) vary_[what] = texts(values);
  }
  if (const auto workloads = map.find("workloads")) {
    workloads_.clear();
    for (const YamlNode& programs : workloads->items()) workloads_.push_back(texts(programs));
  }
  if (const auto all = map.find("texts")) {
    for (const auto& [name, text] : all->entries()) texts_[name] = text.text();
  }
  const auto smaller = map.find("quick");
  if (smaller && quick) read(*smaller, false);
}

std::vector<std::string> Plan::values(const std::string& what) const {
  const auto found = vary_.find(what);
  if (found == vary_.end()) throw std::logic_error(file_ + " does not vary '" + what + "'");
  return found->second;
}

std::vector<unsigned> Plan::numbers(const std::string& what) const {
  std::vector<unsigned> numbers;
  for (const std::string& text : values(what)) {
    const auto number = parse_number<unsigned>(text);
    if (!number) throw std::logic_error(file_ + ": '" + text + "' of '" + what + "' is no number");
    numbers.push_back(*number);
  }
  return numbers;
}

Plan plan(const std::string& experiment, const ExperimentOptions& options) {
  std::string name = experiment;
  std::replace(name.begin(), name.end(), '-', '_');
  for (const PresetSource& source : plan_sources()) {
    if (source.name == name) return {source.yaml, "platform/experiments/" + name + ".yaml", options};
  }
  throw std::logic_error("experiment '" + experiment + "' has no plan");
}

}  // namespace gputlm
