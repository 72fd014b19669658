#include "platform/cli/check/property.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>

#include "platform/files/atomic_file.h"
#include "platform/files/text_file.h"
#include "platform/lab/run_store.h"
#include "tlm/digest.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

bool is_among(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

UserProperty read_property(const std::string& path, const RtlKind& kind, const RtlDesign::Interface& design,
                           const RtlParameters& size) {
  const RtlDesign module(path);
  const RtlDesign::Interface interface = module.interface({});
  UserProperty property{module.path(), module.top(), {}, {}};
  std::vector<std::string> allowed{"clk_i", "rst_ni"};
  allowed.insert(allowed.end(), kind.inputs.begin(), kind.inputs.end());
  allowed.insert(allowed.end(), kind.outputs.begin(), kind.outputs.end());
  for (const auto& [name, port] : interface.ports) {
    if (!port.input || !is_among(allowed, name)) {
      throw InputError(fmt::format("--property {}: module {} has the {} {}, allowed: inputs called as ports of {}, {}",
                                   path, module.top(), port.input ? "input" : "output", name, kind.like,
                                   fmt::join(allowed, ", ")));
    }
    property.ports.push_back(name);
  }
  if (!std::regex_search(read_text(path), std::regex("\\bassert\\b")))
    throw InputError(fmt::format("--property {}: found no assertion, allowed: one or more", path));
  for (const std::string& name : interface.parameters) {
    if (size.count(name) > 0 || is_among(design.parameters, name)) property.parameters.push_back(name);
  }
  return property;
}

std::string instance_of(const UserProperty& property, const std::string& name, const RtlParameters& size,
                        const RtlParameters& parameters) {
  std::vector<std::string> values, connections;
  for (const std::string& parameter : property.parameters) {
    const auto of_size = size.find(parameter), own = parameters.find(parameter);
    if (of_size != size.end()) {
      values.push_back(fmt::format(".{}({})", parameter, of_size->second));
    } else if (own != parameters.end()) {
      values.push_back(fmt::format(".{}({})", parameter, own->second));
    }
  }
  for (const std::string& port : property.ports) connections.push_back(fmt::format(".{0}({0})", port));
  return fmt::format("{}{} {} ({});\n", property.module,
                     values.empty() ? "" : fmt::format(" #({})", fmt::join(values, ", ")), name,
                     fmt::join(connections, ", "));
}

void bind_properties(SizedDesign& design, const std::vector<UserProperty>& properties) {
  if (properties.empty()) return;
  std::string text;
  for (std::size_t i = 0; i < properties.size(); ++i) {
    text += fmt::format("bind {} {}", design.design.top(),
                        instance_of(properties[i], fmt::format("gputlm_property_{}", i), design.size,
                                    with_defaults(design.interface, design.parameters)));
    design.design.add_source(properties[i].path);
    design.interface.files.push_back(properties[i].path);
  }
  const std::string folder = RunStore::default_folder() + "/rtl", path = folder + "/bind-" + digest(text) + ".sv";
  make_output_folder(folder);
  write_file(path, text);
  design.design.add_source(path);
  design.interface.files.push_back(path);
}

}  // namespace gputlm
