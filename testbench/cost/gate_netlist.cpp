#include "testbench/cost/gate_netlist.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tlm/base/error.h"
#include "tlm/base/tools/tool.h"

namespace gputlm::cost {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// Numbers nets in the order of their appearance.
class Numbers {
 public:
  GateNetlist::Net of(const Json& bit) {
    if (bit.is_string()) return bit == "1" ? GateNetlist::kOne : GateNetlist::kZero;
    const auto next = static_cast<GateNetlist::Net>(numbers_.size());
    return numbers_.emplace(bit.get<unsigned>(), next).first->second;
  }
  GateNetlist::Net count() const { return static_cast<GateNetlist::Net>(numbers_.size()); }

 private:
  std::map<unsigned, GateNetlist::Net> numbers_;
};

std::string net_text(GateNetlist::Net net) {
  if (net == GateNetlist::kZero) return "1'b0";
  if (net == GateNetlist::kOne) return "1'b1";
  return fmt::format("n{}", net);
}

std::string concatenation(const std::vector<GateNetlist::Net>& bits) {
  std::string text;
  for (auto bit = bits.rbegin(); bit != bits.rend(); ++bit) text += (text.empty() ? "" : ", ") + net_text(*bit);
  return "{" + text + "}";
}

/// Reads the module `top` of the file. Throws std::runtime_error if the file has another form.
GateNetlist read_gate_netlist(const std::string& path, const std::string& top) {
  const Json file = Json::parse(tools::read_file(path));
  const Json& module = file.at("modules").at(top);
  GateNetlist netlist;
  netlist.top = top;
  Numbers numbers;
  for (const auto& [name, port] : module.at("ports").items()) {
    netlist.ports.push_back({name, port.at("direction") == "input", {}});
    for (const Json& bit : port.at("bits")) netlist.ports.back().bits.push_back(numbers.of(bit));
  }
  for (const auto& [name, cell] : module.at("cells").items()) {
    GateNetlist::Cell one{name, cell.at("type"), {}};
    for (const auto& [pin, bits] : cell.at("connections").items()) {
      if (bits.size() > 1) throw std::runtime_error(path + ": cell " + name + " has a pin of several bits");
      if (!bits.empty()) one.pins[pin] = {numbers.of(bits.at(0)), cell.at("port_directions").at(pin) == "output"};
    }
    netlist.cells.push_back(std::move(one));
  }
  netlist.nets = numbers.count();
  return netlist;
}

/// Verilog of the same module with one more port, `nets_o`: the nets by number.
std::string with_nets_shown(const GateNetlist& netlist) {
  // Verilator represents a port of more than 64 bits as 32-bit words, which the bench expects.
  const unsigned shown = std::max(netlist.nets, 65u);
  std::string text = "module " + netlist.top + "(";
  for (const GateNetlist::Port& port : netlist.ports) {
    text += fmt::format("\n  {} logic [{}:0] {},", port.input ? "input " : "output", port.bits.size() - 1, port.name);
  }
  text += fmt::format("\n  output logic [{}:0] nets_o\n);\n", shown - 1);
  for (GateNetlist::Net net = 0; net < netlist.nets; ++net) text += fmt::format("  wire n{};\n", net);
  for (const GateNetlist::Port& port : netlist.ports) {
    for (std::size_t bit = 0; bit < port.bits.size() && port.input; ++bit)
      text += fmt::format("  assign n{} = {}[{}];\n", port.bits[bit], port.name, bit);
    if (!port.input) text += fmt::format("  assign {} = {};\n", port.name, concatenation(port.bits));
  }
  for (std::size_t i = 0; i < netlist.cells.size(); ++i) {
    const GateNetlist::Cell& cell = netlist.cells[i];
    text += fmt::format("  \\{} u{} (", cell.type, i);
    const char* separator = "";
    for (const auto& [name, pin] : cell.pins) {
      text += fmt::format("{}.{}({})", separator, name, net_text(pin.net));
      separator = ", ";
    }
    text += ");\n";
  }
  for (GateNetlist::Net net = 0; net < shown; ++net)
    text += fmt::format("  assign nets_o[{}] = {};\n", net, net < netlist.nets ? net_text(net) : "1'b0");
  return text + "endmodule\n";
}

/// The nets are counted and no waveform is written, which would take a third of the compile time.
constexpr const char* kNoWaveform = "/* verilator tracing_off */\n";

/// Writes into a subfolder of `folder`, because modules are searched in the folder of the list.
ObservableNetlist write(GateNetlist gates, const std::string& folder, const std::string& cells) {
  fs::create_directories(folder);
  tools::write_file(folder + "/" + gates.top + "_nets.v", kNoWaveform + with_nets_shown(gates));
  tools::write_file(folder + "/cells.v", kNoWaveform + tools::read_file(cells));
  const std::string list = folder + "/" + gates.top + ".f";
  tools::write_file(list, "cells.v\n" + gates.top + "_nets.v\n");
  return {std::move(gates), list};
}

}  // namespace

GateNetlist::Net GateNetlist::clock(const std::string& port) const {
  const auto found = std::find_if(ports.begin(), ports.end(), [&](const Port& p) { return p.name == port; });
  if (found == ports.end() || !found->input || found->bits.size() != 1)
    throw std::runtime_error("the netlist has no clock " + port);
  return found->bits.front();
}

ObservableNetlist observe_mapped(const tools::Tool& yosys, const BlockType& block, const Netlist& netlist,
                                 const std::string& folder, const std::atomic<bool>& stop) {
  const std::string name = netlist.script + ".gates";
  run_yosys(yosys,
            fmt::format("read_verilog {0}\nread_liberty -ignore_miss_func ../library.lib\nhierarchy -check -top {1}\n"
                        "write_json {2}.json\ndelete {1}\nwrite_verilog -noattr {2}.v\n",
                        netlist.file, block.name, name),
            folder, stop);
  return write(read_gate_netlist(folder + "/" + name + ".json", block.name), folder + "/" + name,
               folder + "/" + name + ".v");
}

ObservableNetlist observe_unmapped(const tools::Tool& yosys, const BlockType& block, const Geometry& geometry,
                                   const std::string& folder, const std::atomic<bool>& stop) {
  const std::string cells = fs::path(yosys.path).parent_path().parent_path() / "share/yosys/simcells.v";
  if (!fs::exists(cells)) throw InputError(cells, 0, "yosys has no models of its cells there");
  run_yosys(yosys,
            read_commands(block, geometry) + "synth -flatten -top " + block.name + "\nwrite_json unmapped.json\n",
            folder, stop);
  return write(read_gate_netlist(folder + "/unmapped.json", block.name), folder + "/unmapped", cells);
}

}  // namespace gputlm::cost
