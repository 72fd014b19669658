#include "testbench/check/same_netlist.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "testbench/check/bench_library.h"
#include "testbench/lockstep/observed_netlist.h"

namespace gputlm {
namespace {

constexpr unsigned kPlayedCycles = 10'000;
constexpr const char* kTop = "gputlm_both";

struct Output {
  std::string name;
  unsigned low, bits;  ///< position in source_o and netlist_o
};

std::vector<Output> outputs_of(const SizedDesign& design, const Kind& kind) {
  std::vector<Output> outputs;
  unsigned low = 0;
  for (const DesignPort& port : kind.ports(design.size)) {
    if (port.input) continue;
    outputs.push_back({port.name, low, port.bits});
    low += port.bits;
  }
  return outputs;
}

std::string values_of(const RtlParameters& parameters) {
  std::vector<std::string> values;
  for (const auto& [name, value] : parameters) values.push_back(fmt::format(".{}({})", name, value));
  return values.empty() ? "" : fmt::format(" #({})", fmt::join(values, ", "));
}

/// A module with the ports of the kind. Its own outputs come from the kind's first module in rtl/. This module decides as the
/// bench expects, which gives the traffic of a correct design. The source and the netlist run along.
std::string around(const SizedDesign& design, const Kind& kind, const std::vector<Output>& outputs) {
  std::vector<std::string> ports{"input logic clk_i", "input logic rst_ni"}, inputs{".clk_i(clk_i)", ".rst_ni(rst_ni)"};
  for (const DesignPort& port : kind.ports(design.size)) {
    if (!port.input) continue;
    ports.push_back(fmt::format("input logic [{}:0] {}", port.bits - 1, port.name));
    inputs.push_back(fmt::format(".{0}({0})", port.name));
  }
  for (const char* const all : {"source_o", "netlist_o"})
    ports.push_back(fmt::format("output logic [{}:0] {}", outputs.back().low + outputs.back().bits - 1, all));
  std::vector<std::string> right = inputs;
  for (const Output& output : outputs) {
    ports.push_back(fmt::format("output logic [{}:0] {}", output.bits - 1, output.name));
    right.push_back(fmt::format(".{0}({0})", output.name));
  }
  const auto instance = [&](const std::string& module, const std::string& name) {
    std::vector<std::string> connections = inputs;
    for (const Output& output : outputs)
      connections.push_back(fmt::format(".{}({}_o[{}+:{}])", output.name, name, output.low, output.bits));
    return fmt::format("  {} {} ({});\n", module, name, fmt::join(connections, ", "));
  };
  return fmt::format("module {} (\n  {}\n);\n  {}{} right ({});\n{}{}endmodule\n", kTop, fmt::join(ports, ",\n  "),
                     kind.modules.front().name, values_of(design.size), fmt::join(right, ", "),
                     instance(design.design.top() + values_of(design.parameters), "source"),
                     instance(kNetlistModule, "netlist"));
}

/// The values of rst_ni and the inputs from the bench.
NetlistInputs traffic_of(const SizedDesign& design, const Kind& kind, void* make, const std::atomic<bool>& stop) {
  const std::size_t inputs = 1 + kind.inputs().size();
  const auto bench = kind.make({design.design.top(), design.size, make}, kind.policy_of(kind.modules.front().name))
                         .make_bench(1, FixedKnobs());
  NetlistInputs all;
  while (all.size() < kPlayedCycles) {
    if (stop) throw tools::Stopped();
    bench->settle();
    all.push_back(bench->observed().ports());
    all.back().resize(inputs);
    if (!bench->agrees()) break;  // the user's own module replaces one of rtl/
    bench->rise();
    bench->step();
  }
  return all;
}

bool bit_at(const PortWords& words, unsigned bit) { return (words[bit / 32] >> bit % 32 & 1) != 0; }

/// The output's value as a hexadecimal number.
std::string value_of(const Output& output, const PortWords& words) {
  std::string digits;
  for (unsigned low = (output.bits - 1) / 4 * 4 + 4; low > 0; low -= 4) {
    unsigned digit = 0;
    for (unsigned bit = low - 4; bit < std::min(low, output.bits); ++bit)
      digit |= static_cast<unsigned>(bit_at(words, output.low + bit)) << bit % 4;
    digits += "0123456789abcdef"[digit];
  }
  return digits;
}

std::string text_of(const std::vector<Output>& outputs, const NetlistDifference& found) {
  for (const Output& output : outputs) {
    for (unsigned bit = 0; bit < output.bits; ++bit) {
      if (!bit_at(found.differs, output.low + bit)) continue;
      return fmt::format("in cycle {} of random traffic {} is {} in Verilator and {} in yosys' netlist", found.cycle,
                         output.name, value_of(output, found.source), value_of(output, found.netlist));
    }
  }
  return "";
}

}  // namespace

void expect_same_netlist(const SizedDesign& design, const Kind& kind, const std::string& netlist,
                         const std::atomic<bool>& stop) {
  const std::vector<Output> outputs = outputs_of(design, kind);
  const std::string folder = std::filesystem::path(netlist).parent_path(), file = folder + "/" + kTop + ".sv";
  tools::write_file(file, around(design, kind, outputs));
  // These warnings mean nothing for a netlist: it has words with bits that depend on each other, and parts that nothing reads.
  std::string lint;
  for (const char* const what : {"UNDRIVEN", "MULTIDRIVEN", "UNOPTFLAT"})
    lint += fmt::format("/* verilator lint_off {} */\n", what);
  tools::write_file(netlist, lint + tools::read_file(netlist));
  RtlDesign beside = design.design;
  beside.add_source(netlist);
  beside.add_source(file);
  beside.put_into(kTop);
  RtlLibrary library = netlist_library(kind);
  library.file = folder + "/" + kTop + ".so";
  const NetlistLibrary made =
      reinterpret_cast<NetlistLibrary (*)()>(build_rtl(beside, design.interface, {}, library, stop))();
  NetlistDifference found;
  try {
    if (!made.play(traffic_of(design, kind, made.make, stop), found)) return;
  } catch (const DesignFailure& failure) {
    throw InputError(fmt::format("{}: the design has failed: {}", design.design.path(), failure.what()));
  }
  throw OtherNetlist(fmt::format(
      "{}: yosys reads module {} differently from Verilator, so neither a proof nor a figure would apply to it: {}",
      design.design.path(), design.design.top(), text_of(outputs, found)));
}

}  // namespace gputlm
