#include "testbench/check/ports.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <regex>
#include <sstream>

#include "platform/files/atomic_file.h"
#include "platform/files/table.h"
#include "testbench/check/bench_library.h"
#include "testbench/check/size.h"
#include "testbench/design/sources.h"
#include "testbench/kind/kind.h"

namespace gputlm {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::uint32_t>;

constexpr unsigned kShownCycles = 16, kShownBefore = 4;  // cycles of the waveform, and those before the first decision

/// The kind's module of rtl/, as declared in its source.
struct Declared {
  struct Parameter : Field {
    bool derived;  ///< derived from others: it cannot be set
  };
  struct Port {
    std::string name, direction, width, meaning;
    std::string group;  ///< comment on this port and those that follow; empty: same group as before
  };
  std::vector<Parameter> parameters;
  std::vector<Port> ports;
};

Declared declared_in(const std::string& text) {
  static const std::regex parameter(
      R"(\s*(parameter|localparam)\s+(?:int unsigned|bit)\s+(\w+)\s*=\s*([^,/]*[^,/\s])\s*,?\s*(?://\s*(.*))?)"),
      port(R"(\s*(input|output)\s+logic\s+(?:\[(.*)-1:0\]\s*)?(\w+),?\s*(?://\s*(.*))?)"), comment(R"(\s*//\s*(.*))");
  Declared all;
  std::istringstream lines(text);
  std::string line, group;
  bool inside = false;
  while (std::getline(lines, line) && line != ");") {
    std::smatch found;
    inside = inside || line.rfind("module ", 0) == 0;
    if (!inside) continue;
    if (std::regex_match(line, found, parameter)) {
      all.parameters.push_back({{found[2], "", found[4], 0, 0, found[3].str()}, found[1] == "localparam"});
    } else if (std::regex_match(line, found, port)) {
      all.ports.push_back({found[3], found[1], found[2].length() > 0 ? found[2].str() : "1", found[4], group});
      group.clear();
    } else if (std::regex_match(line, found, comment)) {
      group += (group.empty() ? "" : " ") + found[1].str();
    }
  }
  return all;
}

std::string parameters_text(const Declared& module, const Kind& kind) {
  Table table({{"parameter"}, {"default"}, {"set by"}, {"meaning"}});
  for (const Declared::Parameter& parameter : module.parameters) {
    const auto place = std::find_if(kind.size.begin(), kind.size.end(),
                                    [&](const SizeParameter& one) { return one.name == parameter.name; });
    const bool in_size = place != kind.size.end() && place - kind.size.begin() < kind.in_size;
    table.add({parameter.name, parameter.default_text(),
               parameter.derived ? ""
               : in_size         ? "--size"
                                 : "--parameter",
               parameter.derived ? "follows from others" : parameter.meaning});
  }
  return table.text();
}

std::string ports_of(const Declared& module) {
  Table table({{"port"}, {"direction"}, {"bits"}, {"meaning"}});
  for (const Declared::Port& port : module.ports) {
    if (!port.group.empty()) table.add({"", "", "", port.group});
    table.add({port.name, port.direction, port.width, port.meaning});
  }
  return table.text();
}

std::string hexadecimal(const Words& words) {
  std::string digits;
  for (auto word = words.rbegin(); word != words.rend(); ++word) digits += fmt::format("{:08x}", *word);
  return digits.substr(std::min(digits.find_first_not_of('0'), digits.size() - 1));
}

/// One row per port: a low or high line for one bit, otherwise the hexadecimal value at each change.
std::string waveform_text(const std::vector<std::string>& names, const std::vector<unsigned>& bits,
                          const std::vector<std::vector<Words>>& cycles) {
  std::size_t width = 3, name_width = 5;
  for (const auto& cycle : cycles) {
    for (const Words& value : cycle) width = std::max(width, hexadecimal(value).size() + 1);
  }
  for (const std::string& name : names) name_width = std::max(name_width, name.size());
  std::string text = fmt::format("  {:<{}}", "cycle", name_width + 1);
  for (std::size_t cycle = 0; cycle < cycles.size(); ++cycle) text += fmt::format("{:<{}}", cycle, width);
  text.resize(text.find_last_not_of(' ') + 1);
  for (std::size_t port = 0; port < names.size(); ++port) {
    std::string row = fmt::format("  {:<{}}", names[port], name_width + 1);
    for (std::size_t cycle = 0; cycle < cycles.size(); ++cycle) {
      const Words& value = cycles[cycle][port];
      if (bits[port] == 1) {
        row += std::string(width, value[0] != 0 ? '#' : '_');
      } else {
        const bool changed = cycle == 0 || value != cycles[cycle - 1][port];
        row += fmt::format("{:<{}}", changed ? hexadecimal(value) : "", width);
      }
    }
    text += "\n" + row.substr(0, row.find_last_not_of(' ') + 1);
  }
  return text + "\n";
}

/// The waveform of the kind's first block, against its own policy.
std::string waveform_of(const Kind& kind) {
  const std::string& module = kind.modules.front().name;
  const std::string policy = kind.policy_of(module);
  const RtlDesign rtl(rtl_source_folder() + "/" + module + ".sv");
  const SizedDesign sized = in_size(rtl, rtl.interface({}), kind, kind.contract.size);
  void* const make = build_rtl(sized.design, sized.interface, sized.parameters, bench_library(kind, false));
  const Design design = kind.make({rtl.top(), sized.size, make}, policy);
  const auto bench = design.make_bench(1, {});
  std::vector<std::vector<Words>> cycles;
  std::optional<std::size_t> first;
  while (!first || cycles.size() < std::max<std::size_t>(*first, kShownBefore) - kShownBefore + kShownCycles) {
    bench->settle();
    cycles.push_back(bench->observed().ports());
    bench->rise();
    if (bench->step() && !first) first = cycles.size() - 1;
  }
  cycles.erase(cycles.begin(), cycles.end() - kShownCycles);
  std::vector<std::string> names = observed_ports(kind);
  std::vector<unsigned> bits;
  for (const std::string& name : names) bits.push_back(sized.interface.ports.at(name).bits);
  std::string size;
  for (const auto& [name, value] : sized.size) size += fmt::format(" {}={}", name, value);
  return fmt::format("Waveform: {},{}, under random traffic; values as they are before the rising edge, hexadecimal\n",
                     rtl.top(), size) +
         waveform_text(names, bits, cycles);
}

}  // namespace

std::string ports_text(const std::string& name) {
  const Kind& kind = kinds().at(name);
  const std::string file = fs::path(kind.like).filename(), path = rtl_source_folder() + "/" + file;
  const Declared module = declared_in(read_text(path));
  std::string policies, parameter = kind.decision().parameter();
  for (const KindModule& module_of : kind.modules) policies += (policies.empty() ? "" : ", ") + module_of.name;
  std::string text = fmt::format("{}: a design that decides {}\n", name, parameter);
  text += fmt::format("modules: {}\nports: those of {}\n\n", policies, path);
  text += parameters_text(module, kind) + "\n" + ports_of(module) + "\nProtocol\n" + kind.protocol + "\n";
  return text + waveform_of(kind);
}

std::string skeleton_text(const std::string& name) {
  const std::string& kind = kinds().at(name).name;
  for (const PresetSource& source : rtl_skeletons()) {
    if (source.name == kind + "/skeleton") return source.yaml;
  }
  return "";
}

}  // namespace gputlm
