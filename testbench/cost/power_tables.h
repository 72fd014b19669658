/// The internal power of a library's cells from its Liberty file: the energy of a transition of a pin, in addition to that of
/// the net's capacitance (Liberty user guide, "internal_power"). In picojoules, nanoseconds and picofarads.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gputlm::cost {

/// Energy as a function of the input's transition time and the output's load, of one of them, or constant. Interpolated
/// linearly, and constant beyond the outermost points.
struct EnergyTable {
  std::vector<double> transitions, loads;  ///< values of the two axes; a single one if the energy does not depend on it
  std::vector<double> values;              ///< energies by transition, then by load

  double at(double transition, double load) const;
};

/// A condition on the cell's pins, as a truth table.
struct PinCondition {
  std::vector<std::string> pins;
  std::vector<bool> table;  ///< truth table: pin i is bit i of the index
};

struct InternalEnergy {
  std::string related;               ///< input that causes the transition; empty: this pin itself
  std::optional<PinCondition> when;  ///< condition on other pins; none: always
  std::optional<EnergyTable> rise, fall;
};

struct PowerPin {
  bool input = false, clock = false;
  double capacitance = 0;  ///< capacitance in pF
  std::vector<InternalEnergy> energies;
};

struct PowerTables {
  double volts = 0;                                              ///< supply voltage
  std::map<std::string, std::map<std::string, PowerPin>> cells;  ///< pins by cell and name
};

/// Throws InputError if the file is not Liberty or has no internal power, without which there is no energy.
PowerTables load_power_tables(const std::string& path);

}  // namespace gputlm::cost
