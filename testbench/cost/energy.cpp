#include "testbench/cost/energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include "tlm/base/error.h"

namespace gputlm::cost {
namespace {

constexpr double kPeriod = 1;  // ns; powers are proportional to its inverse
constexpr double kLeastAnnotated = 0.95;

constexpr const char* kScript = R"(read_liberty ../library.lib
read_verilog {netlist}
link_design {top}
set_cmd_units -time ns -capacitance pF
create_clock -name clock -period {period} [get_ports {clock}]
set inputs {{}}
foreach port [all_inputs] {{ if {{[get_property $port full_name] ne "{clock}"}} {{ lappend inputs $port }} }}
set_input_delay 0 -clock clock $inputs
set_output_delay 0 -clock clock [all_outputs]
set_driving_cell -lib_cell {driver} $inputs
set_load {load:.6f} [all_outputs]
find_timing_paths
foreach cell [get_cells *] {{
  foreach pin [get_pins "[get_property $cell full_name]/*"] {{
    set vertex [lindex [$pin vertices] 0]
    puts "slew [get_property $pin full_name] [sta::Vertex_slew $vertex rise max] [sta::Vertex_slew $vertex fall max]"
  }}
}}
puts "leakage [lindex [sta::design_power [sta::cmd_corner]] 2]"
puts "done"
)";

std::string pin_name(const GateNetlist::Cell& cell, const std::string& pin) { return cell.name + "/" + pin; }

/// A pin's transition times for the lookup in the library's table.
struct Transition {
  double rise = 0, fall = 0;  ///< times in ns
};

struct Timing {
  double leakage_w = 0;
  std::map<std::string, Transition> transitions;  ///< transition times by pin
};

Timing read_log(const std::string& path, const std::string& log) {
  std::istringstream lines(tools::read_file(path));
  Timing timing;
  bool done = false;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first, name;
    words >> first;
    done = done || first == "done";
    if (first == "slew") {
      constexpr double kSeconds = 1e9;  // in ns
      double rise = 0, fall = 0;
      if (words >> name >> rise >> fall) timing.transitions[name] = {rise * kSeconds, fall * kSeconds};
    } else if (first == "leakage") {
      words >> timing.leakage_w;
    } else if (first == "Error:" || (first == "Warning:" && line.find("library.lib") == std::string::npos)) {
      throw InputError("OpenSTA: " + line);
    }
  }
  if (!done) throw InputError("OpenSTA ended early; its last output is in " + log);
  return timing;
}

/// Sums up the energy of the cells.
class CellEnergies {
 public:
  CellEnergies(const GateNetlist& gates, GateNetlist::Net clock, const NetActivity& activity, const PowerTables& tables,
               const Timing& timing, double output_load)
      : clock_(clock), activity_(activity), tables_(tables), timing_(timing), loads_(gates.nets) {
    for (const GateNetlist::Cell& cell : gates.cells) {
      for (const auto& [name, pin] : cell.pins) {
        if (!pin.output && pin.net < gates.nets) loads_[pin.net] += tables.cells.at(cell.type).at(name).capacitance;
      }
    }
    for (const GateNetlist::Port& port : gates.ports) {
      for (const GateNetlist::Net net : port.bits) {
        if (!port.input && net < gates.nets) loads_[net] += output_load;
      }
    }
  }

  void add(const GateNetlist::Cell& cell, Energy& energy) const {
    for (const auto& [name, pin] : cell.pins) {
      const PowerPin& table = tables_.cells.at(cell.type).at(name);
      if (!pin.output && pin.net == clock_) {
        ++energy.registers;
        energy.clock_pj += of_input(cell, name, table) + table.capacitance * tables_.volts * tables_.volts;
      } else {
        energy.internal_pj += pin.output ? of_output(cell, name, table) : of_input(cell, name, table);
        // Half of the energy drawn in a rise is stored in the capacitance until the fall.
        if (pin.output) energy.switching_pj += toggles(pin.net) * loads_[pin.net] * tables_.volts * tables_.volts / 2;
      }
    }
  }

 private:
  double toggles(GateNetlist::Net net) const {
    if (net == clock_) return 2;
    return net < activity_.toggles.size() ? activity_.toggles[net] : 0;
  }
  double high(GateNetlist::Net net) const {
    if (net == clock_) return 0.5;
    if (net == GateNetlist::kOne) return 1;
    return net < activity_.high.size() ? activity_.high[net] : 0;
  }

  /// The probability that the condition holds, assuming independent pins. Of two outputs in the condition, such as Q and its
  /// complement, one is 1 and the other is 0.
  double probability(const GateNetlist::Cell& cell, const PinCondition& when) const {
    double sum = 0;
    for (std::size_t row = 0; row < when.table.size(); ++row) {
      if (!when.table[row]) continue;
      double share = 1;
      std::optional<bool> output;  // the first output
      for (std::size_t i = 0; i < when.pins.size(); ++i) {
        const bool one = (row >> i & 1) != 0;
        const auto pin = cell.pins.find(when.pins[i]);
        const bool is_output = !tables_.cells.at(cell.type).at(when.pins[i]).input;
        if (is_output && output) {
          if (*output == one) share = 0;
          continue;
        }
        if (is_output) output = one;
        if (pin == cell.pins.end()) {
          share *= 0.5;
        } else {
          share *= one ? high(pin->second.net) : 1 - high(pin->second.net);
        }
      }
      sum += share;
    }
    return sum;
  }

  /// Mean of rise and fall.
  static double mean(const InternalEnergy& energy, const Transition& transition, double load) {
    const double rise = energy.rise ? energy.rise->at(transition.rise, load) : 0;
    const double fall = energy.fall ? energy.fall->at(transition.fall, load) : 0;
    return (rise + fall) / 2;
  }

  double of_input(const GateNetlist::Cell& cell, const std::string& name, const PowerPin& table) const {
    const auto transition = timing_.transitions.find(pin_name(cell, name));
    const Transition at = transition == timing_.transitions.end() ? Transition() : transition->second;
    double conditions = 0, conditional = 0, always = 0;
    for (const InternalEnergy& energy : table.energies) {
      const double one = mean(energy, at, 0);
      if (energy.when) {
        const double share = probability(cell, *energy.when);
        conditions += share;
        conditional += share * one;
      } else {
        always += one;
      }
    }
    return toggles(cell.pins.at(name).net) * (conditional + std::max(0.0, 1 - conditions) * always);
  }

  /// Attributes transitions of an output to the inputs, in proportion to the transitions of the inputs.
  double of_output(const GateNetlist::Cell& cell, const std::string& name, const PowerPin& table) const {
    const GateNetlist::Net net = cell.pins.at(name).net;
    struct Cause {
      double toggles = 0, conditions = 0, energy = 0;
    };
    std::map<std::string, Cause> causes;
    for (const InternalEnergy& energy : table.energies) {
      const auto input = cell.pins.find(energy.related);
      const auto transition = timing_.transitions.find(pin_name(cell, energy.related));
      const Transition at = transition == timing_.transitions.end() ? Transition() : transition->second;
      Cause& cause = causes[energy.related];
      cause.toggles = input == cell.pins.end() ? 0 : toggles(input->second.net);
      const double share = energy.when ? probability(cell, *energy.when) : 1;
      cause.conditions += share;
      cause.energy += share * mean(energy, at, loads_[net]);
    }
    double all = 0, sum = 0, plain = 0, number = 0;
    for (const auto& [related, cause] : causes) {
      if (cause.conditions <= 0) continue;
      all += cause.toggles;
      sum += cause.toggles * cause.energy / cause.conditions;
      plain += cause.energy / cause.conditions;
      ++number;
    }
    if (number == 0) return 0;
    return toggles(net) * (all > 0 ? sum / all : plain / number);
  }

  GateNetlist::Net clock_;
  const NetActivity& activity_;
  const PowerTables& tables_;
  const Timing& timing_;
  std::vector<double> loads_;  ///< loads of nets, in pF
};

constexpr unsigned kLeastGated = 3;

/// In yosys' names of registers, `$_DFFE_PP_`, `$_SDFFCE_PN0P_`, the last letter is the level of the enable.
bool is_register(const std::string& type) { return type.find("DFF") != std::string::npos; }
bool enabled_at_one(const std::string& type) { return type[type.size() - 2] == 'P'; }

}  // namespace

Energy energy_of(const tools::Tool& sta, const BlockType& block, const Netlist& netlist, const GateNetlist& gates,
                 const NetActivity& activity, const Library& library, const PowerTables& tables,
                 const std::string& folder, const std::atomic<bool>& stop) {
  const std::string name = netlist.script + ".power", log = name + ".log";
  const double load = kOutputLoad * library.inverter_input * 1e-3;  // in pF
  tools::write_file(folder + "/" + name + ".tcl",
                    fmt::format(kScript, fmt::arg("netlist", netlist.file), fmt::arg("top", block.name),
                                fmt::arg("clock", block.clock), fmt::arg("period", kPeriod),
                                fmt::arg("driver", library.inverter.name), fmt::arg("load", load)));
  tools::run_tool(sta, {"-no_init", "-no_splash", "-exit", name + ".tcl"}, folder, log, stop);
  const Timing timing = read_log(folder + "/" + log, log);

  Energy energy;
  const CellEnergies energies(gates, gates.clock(block.clock), activity, tables, timing, load);
  for (const GateNetlist::Cell& cell : gates.cells) energies.add(cell, energy);
  std::size_t driven = 0, known = 0;
  for (const GateNetlist::Cell& cell : gates.cells) {
    for (const auto& [pin, of] : cell.pins) {
      if (!of.output) continue;
      ++driven;
      if (of.net < activity.toggles.size() && timing.transitions.count(pin_name(cell, pin)) > 0) ++known;
    }
  }
  energy.annotated = driven == 0 ? 0 : static_cast<double>(known) / static_cast<double>(driven);
  if (energy.annotated < kLeastAnnotated) {
    throw InputError(
        fmt::format("the activity and the transition times of {} of {} nets of {} are known, required: {:.0f} %", known,
                    driven, block.name, 100 * kLeastAnnotated));
  }
  energy.leakage_uw = timing.leakage_w * 1e6;
  return energy;
}

ClockGating clock_gating(const GateNetlist& unmapped, const std::vector<double>& high) {
  ClockGating gating;
  std::map<std::pair<GateNetlist::Net, bool>, unsigned> enables;  // number of registers by enable and its level
  for (const GateNetlist::Cell& cell : unmapped.cells) {
    if (!is_register(cell.type)) continue;
    ++gating.registers;
    const auto enable = cell.pins.find("E");
    if (enable != cell.pins.end()) ++enables[{enable->second.net, enabled_at_one(cell.type)}];
  }
  double clocked = gating.registers;
  for (const auto& [enable, registers] : enables) {
    const auto [net, at_one] = enable;
    if (registers < kLeastGated || net >= high.size()) continue;
    const double on = at_one ? high[net] : 1 - high[net];
    clocked += 1 + registers * on - registers;
    gating.gated += registers;
    ++gating.gates;
  }
  if (gating.registers > 0) gating.share = clocked / gating.registers;
  return gating;
}

}  // namespace gputlm::cost
