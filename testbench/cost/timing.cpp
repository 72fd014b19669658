#include "testbench/cost/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "tlm/base/error.h"

namespace gputlm::cost {
namespace {

/// OpenSTA continues after an error and exits with code 0: lines printed by the script show how far it came. The period of 1
/// ns only converts slacks into delays.
constexpr const char* kScript = R"(read_liberty ../library.lib
read_verilog {netlist}
link_design {top}
set_cmd_units -time ns -capacitance fF
create_clock -name clock -period 1 [get_ports {clock}]
set inputs {{}}
foreach port [all_inputs] {{ if {{[get_property $port full_name] ne "{clock}"}} {{ lappend inputs $port }} }}
set_input_delay 0 -clock clock $inputs
set_output_delay 0 -clock clock [all_outputs]
set_driving_cell -lib_cell {driver} $inputs
set_load {load:.3f} [all_outputs]
set launched [all_registers -clock_pins]
set captured [all_registers -data_pins]
proc slack {{kind from to}} {{
  if {{[llength $from] == 0 || [llength $to] == 0}} {{ return }}
  set paths [find_timing_paths -path_delay max -from $from -to $to]
  if {{[llength $paths] > 0}} {{ puts "slack $kind [get_property [lindex $paths 0] slack]" }}
}}
slack register_to_register $launched $captured
slack input_to_register $inputs $captured
slack register_to_output $launched [all_outputs]
slack input_to_output $inputs [all_outputs]
puts "done"
)";

/// A chain of inverters between two ports, each loaded with three more besides the next one.
std::string inverter_chain(const Library& library, unsigned length) {
  const auto inverter = [&](const std::string& name, const std::string& input, const std::string& output) {
    return fmt::format("  {} {} (.{}({}), .{}({}));\n", library.inverter.name, name, library.inverter_input_pin, input,
                       library.inverter_output_pin, output);
  };
  std::string text = "module chain(clock, i, o);\n  input clock, i; output o;\n";
  for (unsigned n = 0; n < length; ++n) {
    const std::string input = n == 0 ? "i" : fmt::format("w{}", n - 1);
    const std::string output = n + 1 == length ? "o" : fmt::format("w{}", n);
    text += n + 1 == length ? "" : "  wire " + output + ";\n";
    text += inverter(fmt::format("u{}", n), input, output);
    for (unsigned load = 0; load < 3 && n > 0; ++load) {
      text += fmt::format("  wire x{}_{};\n", n, load);
      text += inverter(fmt::format("l{}_{}", n, load), input, fmt::format("x{}_{}", n, load));
    }
  }
  return text + "endmodule\n";
}

}  // namespace

double PathDelays::critical() const {
  const auto longest = std::max({register_to_register, input_to_register, register_to_output, input_to_output});
  if (!longest) throw std::runtime_error("the netlist has no path");
  return *longest;
}

PathDelays analyse_timing(const tools::Tool& sta, const BlockType& block, const Netlist& netlist,
                          const Library& library, const std::string& folder, const std::atomic<bool>& stop) {
  const std::string script = netlist.script + ".tcl", log = netlist.script + ".sta.log";
  tools::write_file(folder + "/" + script,
                    fmt::format(kScript, fmt::arg("netlist", netlist.file), fmt::arg("top", block.name),
                                fmt::arg("clock", block.clock), fmt::arg("driver", library.inverter.name),
                                fmt::arg("load", kOutputLoad * library.inverter_input)));
  tools::run_tool(sta, {"-no_init", "-no_splash", "-exit", script}, folder, log, stop);

  std::istringstream lines(tools::read_file(folder + "/" + log));
  std::map<std::string, double> slacks;
  bool done = false;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first, kind;
    double slack = 0;
    words >> first;
    done = done || first == "done";
    if (first == "slack" && words >> kind >> slack) slacks[kind] = slack;
    // Warnings about the library, which yosys has accepted, concern the user; all others report that something is missing.
    if (first == "Error:" || (first == "Warning:" && line.find("library.lib") == std::string::npos))
      throw InputError("OpenSTA: " + line);
  }
  if (!done) throw InputError("OpenSTA ended early; its last output is in " + log);
  const auto delay = [&](const char* kind) {
    const auto slack = slacks.find(kind);
    return slack == slacks.end() ? std::optional<double>() : 1 - slack->second;
  };
  if (slacks.empty())
    throw InputError(library.path, 0, "OpenSTA finds no path through the netlist: does the library have delays?");
  return {delay("register_to_register"), delay("input_to_register"), delay("register_to_output"),
          delay("input_to_output")};
}

double fan_out_of_four(const tools::Tool& sta, const Library& library, const std::string& parent,
                       const std::atomic<bool>& stop) {
  constexpr unsigned kShort = 10, kLong = 20;  // both even, so that the difference has as many rising as falling edges
  const std::string folder = parent + "/inverters";
  std::filesystem::create_directory(folder);
  const auto delay = [&](unsigned length) {
    const Netlist netlist{fmt::format("chain{}", length), fmt::format("chain{}.v", length), {}};
    tools::write_file(folder + "/" + netlist.file, inverter_chain(library, length));
    return analyse_timing(sta, {"chain", "", "clock", {}}, netlist, library, folder, stop).critical();
  };
  return (delay(kLong) - delay(kShort)) / (kLong - kShort);
}

}  // namespace gputlm::cost
