#include "testbench/cost/blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "testbench/design/sources.h"
#include "testbench/kind/kind.h"
#include "tlm/base/error.h"
#include "tlm/base/numbers.h"

namespace gputlm::cost {
namespace {

[[noreturn]] void reject(const BlockType& block, const BlockParameter& parameter, const std::string& found) {
  throw InputError(fmt::format("--{}: found '{}', {} takes {} from {} to {} (or several, separated by commas)",
                               parameter.option, found, block.name,
                               parameter.shape == Field::Shape::kPowerOfTwo ? "a power of two" : "a whole number",
                               parameter.least, parameter.most));
}

std::vector<BlockParameter> parameters_of(const Kind& kind, const KindModule& module) {
  std::vector<std::string> order = kind.cost_order;
  if (order.empty()) {
    for (const SizeParameter& one : kind.size) order.push_back(one.name);
  }
  std::vector<BlockParameter> parameters;
  for (const std::string& name : order) {
    const auto one = std::find_if(kind.size.begin(), kind.size.end(), [&](const auto& p) { return p.name == name; });
    const auto other = kind.cost_size.find(name);
    const auto& idle = module.without_effect;
    parameters.push_back({*one, std::find(idle.begin(), idle.end(), name) == idle.end()});
    if (other != kind.cost_size.end()) parameters.back().default_value = other->second;
  }
  return parameters;
}

}  // namespace

const std::vector<BlockType>& block_types() {
  static const std::vector<BlockType> all = [] {
    std::vector<BlockType> blocks;
    for (const Kind& kind : kinds()) {
      for (const KindModule& module : kind.modules)
        blocks.push_back({module.name, module.description, "clk_i", parameters_of(kind, module), kind.name});
    }
    return blocks;
  }();
  return all;
}

const BlockType* find_block(const std::string& name) {
  for (const BlockType& block : block_types()) {
    if (block.name == name) return &block;
  }
  return nullptr;
}

BlockType own_block(const std::string& module, const BlockType& like, BlockType::Own own) {
  const auto in_a_name = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  if (!std::all_of(module.begin(), module.end(), in_a_name) || std::isdigit(module[0]))
    throw InputError(own.file, 0, "must have the name of its module: letters, digits and _");
  const auto& sources = rtl_sources();
  if (std::any_of(sources.begin(), sources.end(), [&](const RtlSource& s) { return s.name == module + ".sv"; }))
    throw InputError(own.file, 0, "has the name of a file of rtl/; allowed is another one");
  BlockType block = like;
  block.name = module;
  block.description = "of " + std::filesystem::path(own.file).filename().string() + ", with the ports of " + like.name;
  block.own = std::move(own);
  for (BlockParameter& parameter : block.parameters) parameter.has_effect = true;
  return block;
}

Geometry effective(const BlockType& block, Geometry geometry) {
  for (std::size_t i = 0; i < geometry.size(); ++i) {
    if (!block.parameters[i].has_effect) geometry[i] = block.parameters[i].default_number();
  }
  return geometry;
}

std::vector<unsigned> parameter_values(const BlockType& block, const BlockParameter& parameter,
                                       const std::string& text) {
  std::vector<unsigned> list;
  for (std::string_view rest = text;; rest.remove_prefix(1)) {
    const auto value = take_number<unsigned>(rest);
    if (!value || (!rest.empty() && rest.front() != ',')) reject(block, parameter, text);
    if (!parameter.allows(*value)) reject(block, parameter, std::to_string(*value));
    if (std::find(list.begin(), list.end(), *value) != list.end())
      throw InputError(fmt::format("--{}: {} is given twice", parameter.option, *value));
    list.push_back(*value);
    if (rest.empty()) return list;
  }
}

std::vector<Geometry> geometries(const BlockType& block, const GivenParameters& given) {
  for (const auto& [option, text] : given) {
    const auto same = [&, &option = option](const BlockParameter& p) { return p.option == option; };
    if (std::any_of(block.parameters.begin(), block.parameters.end(), same)) continue;
    std::string allowed;
    for (const BlockParameter& p : block.parameters) allowed += (allowed.empty() ? "--" : ", --") + p.option;
    throw InputError(fmt::format("{} has no --{}; it has {}", block.name, option, allowed));
  }
  std::vector<Geometry> all{{}};
  for (const BlockParameter& parameter : block.parameters) {
    const auto text = given.find(parameter.option);
    const std::vector<unsigned> list = text == given.end() ? std::vector<unsigned>{parameter.default_number()}
                                                           : parameter_values(block, parameter, text->second);
    std::vector<Geometry> longer;
    for (const Geometry& begun : all) {
      for (const unsigned value : list) {
        longer.push_back(begun);
        longer.back().push_back(value);
      }
    }
    all = std::move(longer);
  }
  return all;
}

}  // namespace gputlm::cost
