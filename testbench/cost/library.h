/// A standard-cell library: the data of its Liberty file that is needed to express area in cells and to set boundary
/// conditions.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace gputlm::cost {

struct Cell {
  std::string name;
  double area = 0;          ///< area in the library's unit, usually um2
  unsigned flip_flops = 0;  ///< number of bits that it stores at a clock edge
};

struct Library {
  std::string path;
  std::string name;
  std::map<std::string, Cell> cells;
  Cell nand2;             ///< unit of area: the smallest two-input NAND, or the cell that the user names
  Cell inverter;          ///< the smallest inverter, which drives the inputs
  double inverter_input;  ///< capacitance of the inverter's input, fF
  std::string inverter_input_pin, inverter_output_pin;
};

/// The path of the library in Debian's package qflow-tech-osu018.
inline constexpr const char* kDefaultLibrary = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib";

/// `nand2`: name of the cell that is the unit of area; empty: the smallest two-input NAND. Throws InputError: no file, not
/// Liberty, not a library, no NAND2, no inverter.
Library load_library(const std::string& path, const std::string& nand2 = "");

}  // namespace gputlm::cost
