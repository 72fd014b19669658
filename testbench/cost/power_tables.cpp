#include "testbench/cost/power_tables.h"

#include <algorithm>
#include <set>

#include "testbench/cost/boolean_function.h"
#include "testbench/cost/liberty.h"
#include "tlm/base/error.h"
#include "tlm/base/numbers.h"

namespace gputlm::cost {
namespace {

constexpr const char* kTransition = "input_transition_time";

/// The numbers of all strings such as "0.1, 0.2".
std::vector<double> numbers(const std::vector<std::string>& strings) {
  std::vector<double> all;
  for (std::string_view text : strings) {
    while (!text.empty()) {
      if (const auto value = take_number<double>(text)) {
        all.push_back(*value);
      } else {
        text.remove_prefix(1);
      }
    }
  }
  return all;
}

std::vector<double> numbers(const LibertyGroup& group, const std::string& name) {
  const auto found = group.complex_attributes.find(name);
  return found == group.complex_attributes.end() ? std::vector<double>() : numbers(found->second);
}

/// Variables and indices of the table templates, by name.
using Templates = std::map<std::string, const LibertyGroup*>;

EnergyTable energy_table(const LibertyGroup& group, const Templates& templates) {
  EnergyTable table{{0}, {0}, numbers(group, "values")};
  const auto found = templates.find(group.arguments.empty() ? "" : group.arguments.front());
  if (found == templates.end()) return table;  // a scalar
  const LibertyGroup& shape = *found->second;
  const auto index = [&](const std::string& name) {
    const std::vector<double> own = numbers(group, name);
    return own.empty() ? numbers(shape, name) : own;
  };
  const bool transition_first = shape.attribute("variable_1") == kTransition;
  const bool two = !shape.attribute("variable_2").empty();
  (transition_first ? table.transitions : table.loads) = index("index_1");
  if (two) (transition_first ? table.loads : table.transitions) = index("index_2");
  if (two && !transition_first) {  // reorder by transition first
    std::vector<double> turned;
    for (std::size_t t = 0; t < table.transitions.size(); ++t) {
      for (std::size_t l = 0; l < table.loads.size(); ++l)
        turned.push_back(table.values.at(l * table.transitions.size() + t));
    }
    table.values = std::move(turned);
  }
  return table;
}

/// The library's unit in pF.
double picofarads(const LibertyGroup& library) {
  const auto unit = library.complex_attributes.find("capacitive_load_unit");
  if (unit == library.complex_attributes.end() || unit->second.size() < 2) return 1;
  std::string_view number = unit->second[0];
  return take_number<double>(number).value_or(1) * (unit->second[1] == "ff" || unit->second[1] == "fF" ? 1e-3 : 1);
}

double nanoseconds(const LibertyGroup& library) {
  const std::string unit = library.attribute("time_unit");
  std::string_view text = unit;
  const double number = take_number<double>(text).value_or(1);
  return number * (text == "ps" ? 1e-3 : 1);
}

PinCondition condition(const std::string& text, const LibertyGroup& cell, const std::string& path) {
  PinCondition when;
  for (const LibertyGroup& pin : cell.groups) {
    const bool named = pin.type == "pin" && !pin.arguments.empty();
    if (named && text.find(pin.arguments.front()) != std::string::npos) when.pins.push_back(pin.arguments.front());
  }
  const auto table = truth_table(text, when.pins);
  if (!table)
    throw InputError(path, 0, "internal_power: when is '" + text + "', which is no function of the cell's pins");
  when.table = *table;
  return when;
}

std::optional<EnergyTable> edge(const LibertyGroup& group, const std::string& name, const Templates& templates,
                                double time, double load) {
  for (const LibertyGroup& table : group.groups) {
    if (table.type != name && table.type != "power") continue;
    EnergyTable energies = energy_table(table, templates);
    if (energies.values.size() != energies.transitions.size() * energies.loads.size()) return std::nullopt;
    for (double& one : energies.transitions) one *= time;
    for (double& one : energies.loads) one *= load;
    for (double& one : energies.values) one *= load;  // in volts squared times the unit of capacitance
    return energies;
  }
  return std::nullopt;
}

/// Position between points i and i + 1 of a list.
struct Place {
  std::size_t i = 0;
  double share = 0;
};
Place place(const std::vector<double>& points, double at) {
  if (points.size() < 2 || at <= points.front()) return {};
  if (at >= points.back()) return {points.size() - 2, 1};
  const auto above = std::upper_bound(points.begin(), points.end(), at);
  const auto i = static_cast<std::size_t>(above - points.begin()) - 1;
  return {i, (at - points[i]) / (points[i + 1] - points[i])};
}

}  // namespace

double EnergyTable::at(double transition, double load) const {
  const Place t = place(transitions, transition), l = place(loads, load);
  const auto value = [&](std::size_t i, std::size_t j) {
    return values[std::min(i, transitions.size() - 1) * loads.size() + std::min(j, loads.size() - 1)];
  };
  const auto over_load = [&](std::size_t i) { return value(i, l.i) * (1 - l.share) + value(i, l.i + 1) * l.share; };
  return over_load(t.i) * (1 - t.share) + over_load(t.i + 1) * t.share;
}

PowerTables load_power_tables(const std::string& path) {
  const LibertyGroup file =
      read_liberty(path, {"cell", "pin", "internal_power", "rise_power", "fall_power", "power", "power_lut_template"});
  const double load = picofarads(file), time = nanoseconds(file);
  PowerTables tables;
  std::string_view volts = file.attributes.count("nom_voltage") > 0 ? file.attributes.at("nom_voltage") : "";
  tables.volts = take_number<double>(volts).value_or(0);
  Templates templates;
  for (const LibertyGroup& group : file.groups) {
    if (group.type == "power_lut_template" && !group.arguments.empty()) templates[group.arguments.front()] = &group;
  }
  std::size_t energies = 0;
  for (const LibertyGroup& cell : file.groups) {
    if (cell.type != "cell" || cell.arguments.empty()) continue;
    for (const LibertyGroup& group : cell.groups) {
      if (group.type != "pin" || group.arguments.empty()) continue;
      PowerPin& pin = tables.cells[cell.arguments.front()][group.arguments.front()];
      pin.input = group.attribute("direction") == "input";
      pin.clock = group.attribute("clock") == "true";
      const std::string capacitance = group.attribute("capacitance");
      std::string_view text = capacitance;
      pin.capacitance = take_number<double>(text).value_or(0) * load;
      for (const LibertyGroup& power : group.groups) {
        if (power.type != "internal_power") continue;
        InternalEnergy energy;
        energy.related = power.attribute("related_pin");
        if (const std::string when = power.attribute("when"); !when.empty()) energy.when = condition(when, cell, path);
        energy.rise = edge(power, "rise_power", templates, time, load);
        energy.fall = edge(power, "fall_power", templates, time, load);
        pin.energies.push_back(std::move(energy));
        ++energies;
      }
    }
  }
  if (energies == 0 || tables.volts <= 0) {
    throw InputError(path, 0,
                     "the library has no power tables (internal_power, nom_voltage), so energy cannot be computed; "
                     "Debian's qflow-tech-osu018 has them");
  }
  return tables;
}

}  // namespace gputlm::cost
