#include "testbench/kind/kind.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tlm/base/error.h"

namespace gputlm {
namespace {

bool has(const RtlDesign::Interface& interface, const std::string& port, bool input) {
  const auto found = interface.ports.find(port);
  return found != interface.ports.end() && found->second.input == input;
}

std::vector<std::string> missing(const Kind& kind, const RtlDesign::Interface& interface) {
  std::vector<std::string> names;
  for (const bool input : {true, false}) {
    for (const std::string& name : input ? kind.inputs() : kind.outputs()) {
      if (!has(interface, name, input)) names.push_back((input ? "input " : "output ") + name);
    }
  }
  return names;
}

/// Null if the design has no port of any kind.
const Kind* nearest_kind(const RtlDesign::Interface& interface) {
  const Kind* nearest = nullptr;
  std::size_t most = 0;
  for (const Kind& kind : kinds()) {
    const std::size_t of = kind.inputs().size() + kind.outputs().size(), has = of - missing(kind, interface).size();
    if (has <= most) continue;
    nearest = &kind;
    most = has;
  }
  return nearest;
}

}  // namespace

std::vector<std::string> Kind::names(bool input) const {
  RtlParameters least;
  for (const SizeParameter& parameter : size) least[parameter.name] = parameter.least;
  std::vector<std::string> all;
  for (const DesignPort& port : ports(least)) {
    if (port.input == input) all.push_back(port.name);
  }
  return all;
}

Registry<Kind>& kinds() {
  static Registry<Kind> all("kind of RTL");
  return all;
}

Registry<BuiltInDesign>& built_in_designs() {
  static Registry<BuiltInDesign> all("design of this program");
  return all;
}

const Kind& kind_of_ports(const RtlDesign& design, const RtlDesign::Interface& interface, const std::string& like) {
  const Kind* const nearest = like.empty() ? nearest_kind(interface) : &kinds().at(like);
  if (!nearest) {
    std::string all;
    for (const Kind& kind : kinds()) all += fmt::format("{}{} like {}", all.empty() ? "" : ", ", kind.name, kind.like);
    throw InputError(
        fmt::format("{}: module {} has the ports of no kind of design; allowed: {}", design.path(), design.top(), all));
  }
  std::vector<std::string> lacks = missing(*nearest, interface);
  for (const char* const name : {"clk_i", "rst_ni"}) {
    if (!has(interface, name, true)) lacks.push_back(std::string("input ") + name);
  }
  if (!lacks.empty()) {
    throw InputError(fmt::format("{}: module {} lacks {}, which every {} like {} has", design.path(), design.top(),
                                 fmt::join(lacks, ", "), nearest->name, nearest->like));
  }
  const std::vector<std::string> inputs = nearest->inputs();
  for (const auto& [name, port] : interface.ports) {
    if (!port.input || name == "clk_i" || name == "rst_ni" ||
        std::find(inputs.begin(), inputs.end(), name) != inputs.end())
      continue;
    throw InputError(fmt::format("{}: module {} has the input {}, which nothing drives: {} has no such port",
                                 design.path(), design.top(), name, nearest->like));
  }
  return *nearest;
}

std::string model_of(const std::string& policy) { return policy.substr(0, policy.find('@')); }

}  // namespace gputlm
