#include "platform/rtl/kind.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tlm/error.h"

namespace gputlm {
namespace {

std::vector<std::string> missing(const RtlKind& kind, const RtlDesign::Interface& interface) {
  std::vector<std::string> names;
  const auto look = [&](const std::vector<std::string>& ports, bool input) {
    for (const std::string& name : ports) {
      const auto found = interface.ports.find(name);
      if (found == interface.ports.end() || found->second.input != input)
        names.push_back((input ? "input " : "output ") + name);
    }
  };
  look(kind.inputs, true);
  look(kind.outputs, false);
  return names;
}

/// Null if the design has no port of any.
const RtlKind* nearest_kind(const RtlDesign::Interface& interface) {
  const RtlKind* nearest = nullptr;
  std::size_t most = 0;
  for (const RtlKind& kind : rtl_kinds()) {
    const std::size_t of = kind.inputs.size() + kind.outputs.size(), has = of - missing(kind, interface).size();
    if (has <= most) continue;
    nearest = &kind;
    most = has;
  }
  return nearest;
}

constexpr const char* kMakePorts = R"(
#include "Vdesign.h"
#include "{1}"
extern "C" __attribute__((visibility("default"))) gputlm::Rtl{0}* gputlm_make() {{
  return new gputlm::Verilated{0}<Vdesign>;
}}
)";

}  // namespace

RtlLibrary policy_library(const RtlKind& kind) { return {fmt::format(kMakePorts, kind.ports, kind.header)}; }

Registry<RtlKind>& rtl_kinds() {
  static Registry<RtlKind> all("kind of RTL");
  return all;
}

const RtlKind& rtl_kind_of(const RtlDesign& design, const RtlDesign::Interface& interface, const std::string& like) {
  const RtlKind* const nearest = like.empty() ? nearest_kind(interface) : &rtl_kinds().at(like);
  if (!nearest) {
    std::string kinds;
    for (const RtlKind& kind : rtl_kinds())
      kinds += fmt::format("{}{} like {}", kinds.empty() ? "" : ", ", kind.name, kind.like);
    throw InputError(fmt::format("{}: module {} has the ports of nothing that can be used; allowed: {}", design.path(),
                                 design.top(), kinds));
  }
  std::vector<std::string> lacks = missing(*nearest, interface);
  for (const auto& [clock, input] : {std::pair("clk_i", true), {"rst_ni", true}}) {
    const auto found = interface.ports.find(clock);
    if (found == interface.ports.end() || found->second.input != input) lacks.push_back(std::string("input ") + clock);
  }
  if (!lacks.empty()) {
    throw InputError(fmt::format("{}: module {} lacks {}, which every {} like {} has", design.path(), design.top(),
                                 fmt::join(lacks, ", "), nearest->name, nearest->like));
  }
  for (const auto& [name, port] : interface.ports) {
    const auto& inputs = nearest->inputs;
    if (!port.input || name == "clk_i" || name == "rst_ni" ||
        std::find(inputs.begin(), inputs.end(), name) != inputs.end())
      continue;
    throw InputError(fmt::format("{}: module {} has the input {}, which nobody drives: {} has no such port",
                                 design.path(), design.top(), name, nearest->like));
  }
  return *nearest;
}

}  // namespace gputlm
