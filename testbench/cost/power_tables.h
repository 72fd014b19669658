/// The internal power of a library's cells, as its Liberty file has it: the energy of a transition of a pin, beside that
/// of the net's capacitance (Liberty user guide, "internal_power"). Picojoules, nanoseconds and picofarads.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gputlm::cost {

/// Energy over the input's transition time and the output's load, or over one of them, or none. Linear between the points,
/// and constant outside of them.
struct EnergyTable {
  std::vector<double> transitions, loads;  ///< one value if it does not depend on it
  std::vector<double> values;              ///< by transition, then load

  double at(double transition, double load) const;
};

/// A condition on the cell's pins: a truth table over them.
struct PinCondition {
  std::vector<std::string> pins;
  std::vector<bool> table;  ///< pin i is bit i of the index
};

struct InternalEnergy {
  std::string related;               ///< input that caused the transition; empty: this pin itself
  std::optional<PinCondition> when;  ///< nothing: always
  std::optional<EnergyTable> rise, fall;
};

struct PowerPin {
  bool input = false, clock = false;
  double capacitance = 0;  ///< pF
  std::vector<InternalEnergy> energies;
};

struct PowerTables {
  double volts = 0;                                              ///< of the supply
  std::map<std::string, std::map<std::string, PowerPin>> cells;  ///< by cell and pin
};

/// Throws InputError: not Liberty, or without any internal power, of which no energy can be told.
PowerTables load_power_tables(const std::string& path);

}  // namespace gputlm::cost
