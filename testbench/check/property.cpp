#include "testbench/check/property.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>

#include "platform/files/atomic_file.h"
#include "platform/lab/run_store.h"
#include "tlm/base/digest.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using Strings = std::vector<std::string>;

bool is_among(const Strings& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The values of the property's parameters for the design.
RtlParameters values_of(const UserProperty& property, const SizedDesign& design) {
  const RtlParameters own = with_defaults(design.interface, design.parameters);
  RtlParameters values;
  for (const std::string& parameter : property.parameters) {
    const auto of_size = design.size.find(parameter), of_module = own.find(parameter);
    if (of_size != design.size.end()) {
      values.insert(*of_size);
    } else if (of_module != own.end()) {
      values.insert(*of_module);
    }
  }
  return values;
}

std::string binding(const UserProperty& property, unsigned number, const SizedDesign& design) {
  return fmt::format("bind {} {}", design.design.top(),
                     instance_of(property, fmt::format("gputlm_property_{}", number), design, ""));
}

/// Has Verilator find the signals in the design and compare their widths.
void expect_inside(const UserProperty& property, const SizedDesign& design) {
  const tools::WorkFolder folder;
  write_file(folder.path() + "/bind.sv", binding(property, 0, design));
  RtlDesign bound = design.design;
  bound.add_source(property.path);
  bound.add_source(folder.path() + "/bind.sv");
  Strings all{"--lint-only", "-Wno-fatal", "-Wwarn-WIDTH", "-Wwarn-IMPLICIT"};
  const Strings sources = bound.arguments(design.parameters);
  all.insert(all.end(), sources.begin(), sources.end());
  std::string failure;
  try {
    run_verilator(bound, all, folder.path(), tools::kNeverStopped);
  } catch (const InputError& error) {
    failure = error.what();
  }
  const std::string log = read_text(folder.path() + "/verilator.log");
  const std::string who = fmt::format("--property {}: module {} has the input ", property.path, property.module);
  std::smatch found;
  static const std::regex none(
      "(?:creating implicitly: |Can't find definition of (?:variable: |'\\w+' in dotted [^:]*: ))'([^']+)'"),
      width("/bind\\.sv:[0-9:]+ Input port connection '(\\w+)' expects ([0-9]+) bits? .* generates ([0-9]+) bits?");
  if (std::regex_search(log, found, none)) {
    for (const InnerSignal& signal : property.inner) {
      if (signal.path == found[1])
        throw InputError(fmt::format("{}{}, and {} has neither such a port nor {} inside", who, signal.input,
                                     design.design.top(), signal.path));
    }
  }
  if (std::regex_search(log, found, width))
    throw InputError(fmt::format("{}{} of {} bits, allowed: {}", who, found[1].str(), found[2].str(), found[3].str()));
  if (!failure.empty()) throw InputError(failure);
}

}  // namespace

UserProperty read_property(const std::string& path, const Kind& kind, const SizedDesign& design) {
  const RtlDesign module(path);
  const RtlDesign::Interface interface = module.interface({});
  UserProperty property{module.path(), module.top(), {}, {}, {}};
  Strings ports{"clk_i", "rst_ni"};
  for (const DesignPort& port : kind.ports(design.size)) ports.push_back(port.name);
  for (const auto& [name, port] : interface.ports) {
    if (!port.input) {
      throw InputError(
          fmt::format("--property {}: module {} has the output {}, allowed: inputs, named as ports of {} or as signals "
                      "inside the design, with __ for each dot",
                      path, module.top(), name, kind.like));
    }
    if (is_among(ports, name)) {
      property.ports.push_back(name);
    } else {
      property.inner.push_back({name, std::regex_replace(name, std::regex("__"), "."), 0});
    }
  }
  if (!std::regex_search(read_text(path), std::regex("\\bassert\\b")))
    throw InputError(fmt::format("--property {}: found no assertion, allowed: one or more", path));
  for (const std::string& name : interface.parameters) {
    if (design.size.count(name) > 0 || is_among(design.interface.parameters, name)) property.parameters.push_back(name);
  }
  if (property.inner.empty()) return property;
  const RtlDesign::Interface sized = module.interface(values_of(property, design));
  for (InnerSignal& signal : property.inner) signal.bits = sized.ports.at(signal.input).bits;
  expect_inside(property, design);
  return property;
}

std::string instance_of(const UserProperty& property, const std::string& name, const SizedDesign& design,
                        const std::string& inside) {
  Strings values, connections;
  for (const auto& [parameter, value] : values_of(property, design))
    values.push_back(fmt::format(".{}({})", parameter, value));
  for (const std::string& port : property.ports) connections.push_back(fmt::format(".{0}({0})", port));
  for (const InnerSignal& signal : property.inner)
    connections.push_back(fmt::format(".{}({}{} )", signal.input, inside, signal.path));
  return fmt::format("{}{} {} ({});\n", property.module,
                     values.empty() ? "" : fmt::format(" #({})", fmt::join(values, ", ")), name,
                     fmt::join(connections, ", "));
}

void bind_properties(SizedDesign& design, const std::vector<UserProperty>& properties) {
  if (properties.empty()) return;
  std::string text;
  for (unsigned i = 0; i < properties.size(); ++i) {
    text += binding(properties[i], i, design);
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
