#include "testbench/check/size.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "testbench/kind/kind.h"
#include "tlm/base/error.h"
#include "tlm/base/numbers.h"

namespace gputlm {
namespace {

const SizeParameter* find(const Kind& kind, const std::string& name) {
  const auto found =
      std::find_if(kind.size.begin(), kind.size.end(), [&](const SizeParameter& one) { return one.name == name; });
  return found == kind.size.end() ? nullptr : &*found;
}

void add(RtlParameters& values, const std::string& option, const std::string& name, unsigned value) {
  if (!values.emplace(name, value).second) throw InputError(fmt::format("{}: {} is given twice", option, name));
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void check_widths(const SizedDesign& sized, const Kind& kind) {
  std::string size;
  for (const auto& [name, value] : sized.size) size += fmt::format(" {}={}", name, value);
  std::vector<DesignPort> ports = kind.ports(sized.size);
  std::sort(ports.begin(), ports.end(), [](const DesignPort& a, const DesignPort& b) { return a.name < b.name; });
  for (const DesignPort& port : ports) {
    const auto found = sized.interface.ports.find(port.name);
    if (found == sized.interface.ports.end() || found->second.bits == port.bits) continue;
    throw InputError(fmt::format("{}: port {} of module {} has {} bits, allowed in the size{}: {}", sized.design.path(),
                                 port.name, sized.design.top(), found->second.bits, size, port.bits));
  }
}

}  // namespace

RtlParameters given_size(const Kind& kind, const std::string& size, const std::vector<std::string>& parameters,
                         const std::string& option) {
  RtlParameters given;
  if (!size.empty()) {
    std::istringstream parts(size);
    std::vector<unsigned> numbers;
    bool whole = size.back() != 'x';
    for (std::string part; std::getline(parts, part, 'x');) {
      const auto number = parse_number<unsigned>(part);
      whole = whole && number.has_value();
      numbers.push_back(number.value_or(0));
    }
    if (!whole || numbers.size() != kind.in_size) {
      throw InputError(
          fmt::format("{}: found '{}', allowed for {}: {}", option, shortened(size), kind.name, words_of_size(kind)));
    }
    for (unsigned i = 0; i < kind.in_size; ++i) add(given, option, kind.size[i].name, numbers[i]);
  }
  for (const auto& [name, value] : parse_parameters(parameters)) add(given, "--parameter", name, value);
  for (const auto& [name, value] : given) {
    const SizeParameter* const parameter = find(kind, name);
    if (!parameter || parameter->allows(value)) continue;
    throw InputError(fmt::format("{}: found {}, allowed: {}", name, value, parameter->range()));
  }
  return given;
}

SizedDesign in_size(const RtlDesign& design, const RtlDesign::Interface& plain, const Kind& kind,
                    const RtlParameters& given) {
  SizedDesign sized{design, {}, {}, {}};
  for (const auto& [name, value] : given) {
    if (has(plain.parameters, name)) {
      sized.parameters[name] = value;
    } else if (!find(kind, name)) {
      throw InputError(fmt::format("--parameter: module {} has no {}; allowed: {}", design.top(), shortened(name),
                                   fmt::join(plain.parameters, ", ")));
    }
  }
  for (const SizeParameter& parameter : kind.size) {
    if (has(plain.parameters, parameter.name)) sized.parameters.emplace(parameter.name, parameter.default_number());
  }
  sized.interface = design.interface(sized.parameters);
  RtlParameters bits;
  for (const auto& [name, port] : sized.interface.ports) bits[name] = port.bits;
  const RtlParameters of_ports = kind.size_of(bits);
  for (const SizeParameter& parameter : kind.size) {
    const std::string& name = parameter.name;
    const auto told = given.find(name);
    const unsigned value = told != given.end()                ? told->second
                           : sized.parameters.count(name) > 0 ? sized.parameters.at(name)
                                                              : of_ports.at(name);
    if (!parameter.allows(value)) {
      throw InputError(fmt::format("{}: the ports of module {} say {}={}, allowed: {}", design.path(), design.top(),
                                   name, value, parameter.range()));
    }
    sized.size[name] = value;
  }
  check_widths(sized, kind);
  return sized;
}

std::string words_of_size(const Kind& kind) {
  std::string words;
  for (unsigned i = 0; i < kind.in_size; ++i) words += (i == 0 ? "" : "x") + kind.size[i].name;
  return words;
}

}  // namespace gputlm
