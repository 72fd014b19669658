/// A standard-cell library: of its Liberty file what is needed to count cells in and to set the boundary conditions.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace gputlm::cost {

struct Cell {
  std::string name;
  double area = 0;          ///< in the library's unit, um2 as a rule
  unsigned flip_flops = 0;  ///< bits that it stores at a clock edge
};

struct Library {
  std::string path;
  std::string name;
  std::map<std::string, Cell> cells;
  Cell nand2;             ///< the smallest
  Cell inverter;          ///< the smallest: drives the inputs
  double inverter_input;  ///< its input's capacitance, fF
  std::string inverter_input_pin, inverter_output_pin;
};

/// Where Debian's package qflow-tech-osu018 puts its library.
inline constexpr const char* kDefaultLibrary = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib";

/// `nand2`: name of the cell in which area is counted; empty: the smallest whose function is NAND of two inputs.
/// Throws InputError: no file, not Liberty, no library, no NAND2, no inverter.
Library load_library(const std::string& path, const std::string& nand2 = "");

}  // namespace gputlm::cost
