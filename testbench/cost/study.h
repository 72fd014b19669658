/// A study: the cost of a block over a range of geometries, optionally relative to another block.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "testbench/cost/blocks.h"
#include "testbench/cost/ice40.h"
#include "testbench/cost/library.h"
#include "testbench/cost/netlist.h"
#include "testbench/cost/timing.h"

namespace gputlm::cost {

struct StudyRequest {
  const BlockType* block = nullptr;
  const BlockType* against = nullptr;  ///< baseline with the same parameters as `block`; null: none
  std::vector<Geometry> geometries;
  std::vector<unsigned> clocks_mhz;  ///< target clocks; empty: none
  Library library;
  bool ice40 = false;
  unsigned parallel = 0;  ///< number of simultaneous tools; 0: the number of processors
  std::string folder;     ///< empty folder for the tools' files
  /// For a user's own block: called with the file of its gates (netlist.h) before they are used; throws if they do not match
  /// the source. Called from several threads. Null: yosys is trusted.
  std::function<void(const Geometry& geometry, const std::string& gates, const std::atomic<bool>& stop)> compare =
      nullptr;
};

/// One netlist of a block.
struct Implementation {
  std::string script;  ///< mapping script that made it
  unsigned cells = 0, flip_flops = 0;
  double area = 0;    ///< area in the library's unit
  PathDelays delays;  ///< delays in ns
};

struct BlockCost {
  const BlockType* block = nullptr;
  Geometry geometry;
  std::vector<Implementation> implementations;  ///< one per mapping script
  std::optional<FpgaCost> fpga;

  /// The implementation with the least area times critical path, the first one of equals. The same rule for every block; it
  /// trades neither unlimited area for speed nor the reverse.
  const Implementation& best() const;
};

struct StudyRow {
  BlockCost cost;
  std::optional<BlockCost> baseline;  ///< cost of `against`, in the same geometry
};

struct Study {
  const BlockType* block = nullptr;
  const BlockType* against = nullptr;
  Library library;
  std::vector<tools::Tool> tools;
  double fan_out_of_four = 0;  ///< delay of the library, ns; delays expressed in it carry over to other technologies
  std::vector<StudyRow> rows;  ///< in the order of the geometries
  std::vector<unsigned> clocks_mhz;

  double nand2_equivalents(double area) const { return area / library.nand2.area; }
};

/// Minimum and maximum, per cent.
struct Range {
  double least = 0, most = 0;
};

/// Overhead over the baseline: between the best netlists, and the range over the mapping scripts if the same script maps
/// both. The range shows how much of the difference is due to mapping.
struct Overhead {
  double nand2_equivalents = 0, area_percent = 0, delay_percent = 0;
  Range area_range, delay_range;
};

/// Requires a row with a baseline.
Overhead overhead(const Study& study, const StudyRow& row);

/// Relative to the request's folder: the tools' files for a point, including SCRIPT.v of each implementation.
std::string folder_of(const StudyRequest& request, const BlockCost& cost);

/// Runs everything, several tools at a time; the result does not depend on their number. `proceed` is called from time to
/// time, by the calling thread, with the number of finished points and the total; if it returns false the tools are ended and
/// Stopped is thrown. Throws InputError if a tool is missing or fails, after ending the others.
Study run_study(const StudyRequest& request, const std::function<bool(std::size_t, std::size_t)>& proceed);

/// Whether a block meets a clock frequency.
struct ClockFit {
  double share = 0;     ///< longest path relative to a clock cycle; the rest of the cycle is for wires, skew and jitter
  unsigned cycles = 0;  ///< 1: it fits; else the number of stages, provided that the block's state can wait that long
  /// Longest path between registers, relative to the cycle. The next decision may depend on it, so pipelining does not help
  /// if it exceeds 1. 0 if there is no such path.
  double state_share = 0;
};

ClockFit fit(const Implementation& implementation, unsigned clock_mhz);

}  // namespace gputlm::cost
