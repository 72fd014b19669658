#include "testbench/cost/library.h"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "testbench/cost/boolean_function.h"
#include "testbench/cost/liberty.h"
#include "tlm/base/error.h"
#include "tlm/base/numbers.h"

namespace gputlm::cost {
namespace {

/// A Liberty number; 0 for a missing attribute, as for filler cells.
double number(std::string_view text) { return take_number<double>(text).value_or(0); }

/// A cell with one output and a known function.
struct Gate {
  std::vector<std::string> inputs;
  std::string output, function;
  double input_capacitance = 0;  ///< capacitance of the first input, in library units
};

/// The gate of a cell; none for a cell that stores, drives a bus, has several outputs, or must not be used.
std::optional<Gate> gate(const LibertyGroup& cell) {
  Gate gate;
  if (cell.attribute("dont_use") == "true") return std::nullopt;
  for (const LibertyGroup& group : cell.groups) {
    if (group.type != "pin") return std::nullopt;
    const std::string direction = group.attribute("direction");
    if (direction == "input" && !group.arguments.empty()) {
      if (gate.inputs.empty()) gate.input_capacitance = number(group.attribute("capacitance"));
      gate.inputs.push_back(group.arguments.front());
    } else if (direction == "output") {
      if (!gate.function.empty() || !group.attribute("three_state").empty()) return std::nullopt;
      gate.function = group.attribute("function");
      if (!group.arguments.empty()) gate.output = group.arguments.front();
    }
  }
  return gate.function.empty() ? std::nullopt : std::optional<Gate>(gate);
}

unsigned flip_flops(const LibertyGroup& cell) {
  unsigned bits = 0;
  for (const LibertyGroup& group : cell.groups) {
    if (group.type == "ff") ++bits;
    if (group.type == "ff_bank" && group.arguments.size() > 2)
      bits += static_cast<unsigned>(number(group.arguments[2]));
  }
  return bits;
}

/// The library's unit of capacitance in fF; by default 1 pF, as in Liberty.
double capacitance_unit(const LibertyGroup& library) {
  const auto unit = library.complex_attributes.find("capacitive_load_unit");
  if (unit == library.complex_attributes.end() || unit->second.size() < 2) return 1000;
  return number(unit->second[0]) * (unit->second[1] == "ff" || unit->second[1] == "fF" ? 1 : 1000);
}

}  // namespace

Library load_library(const std::string& path, const std::string& nand2) {
  if (path == kDefaultLibrary && !std::filesystem::exists(path)) {
    throw InputError(path, 0,
                     "the default library is not installed (Debian: qflow-tech-osu018); install it, or name another "
                     "Liberty file with --liberty");
  }
  const LibertyGroup file =
      read_liberty(path, {"cell", "pin", "bus", "bundle", "ff", "ff_bank", "latch", "statetable"});
  if (file.type != "library" || file.arguments.empty())
    throw InputError(path, 0, fmt::format("found a group '{}', expected library (NAME)", file.type));
  Library library{path, file.arguments.front(), {}, {}, {}, 0, {}, {}};
  for (const LibertyGroup& group : file.groups) {
    if (group.type != "cell" || group.arguments.empty()) continue;
    const Cell cell{group.arguments.front(), number(group.attribute("area")), flip_flops(group)};
    library.cells[cell.name] = cell;
    const std::optional<Gate> logic = gate(group);
    if (!logic || cell.area <= 0) continue;
    const auto smaller = [&](const Cell& than) { return than.name.empty() || cell.area < than.area; };
    const auto table = truth_table(logic->function, logic->inputs);
    if (nand2.empty() && table == std::vector<bool>{true, true, true, false} && smaller(library.nand2))
      library.nand2 = cell;
    if (table == std::vector<bool>{true, false} && smaller(library.inverter)) {
      library.inverter = cell;
      library.inverter_input = logic->input_capacitance * capacitance_unit(file);
      library.inverter_input_pin = logic->inputs.front();
      library.inverter_output_pin = logic->output;
    }
  }
  if (!nand2.empty()) {
    const auto found = library.cells.find(nand2);
    if (found == library.cells.end() || found->second.area <= 0)
      throw InputError(path, 0, fmt::format("--nand2: the library has no cell '{}' with an area", nand2));
    library.nand2 = found->second;
  }
  if (library.nand2.name.empty()) {
    throw InputError(path, 0,
                     "the library has no cell with the function of a two-input NAND, in which area is counted; name "
                     "the cell to count in with --nand2 CELL");
  }
  if (library.inverter.name.empty())
    throw InputError(path, 0, "the library has no inverter, without which nothing can be mapped to it");
  return library;
}

}  // namespace gputlm::cost
