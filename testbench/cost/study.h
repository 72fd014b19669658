/// A study: what a block costs over a range of geometries, beside another block if asked for.
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
  const BlockType* against = nullptr;  ///< null: none. Has the same parameters as `block`
  std::vector<Geometry> geometries;
  std::vector<unsigned> clocks_mhz;  ///< that the block is held against; empty: none
  Library library;
  bool ice40 = false;
  unsigned parallel = 0;  ///< tools at the same time; 0: as many as there are processors
  std::string folder;     ///< empty, for the tools' files
  /// Of a user's own block: called with the file of its gates (netlist.h) before they count; throws if they are another
  /// design than the source. By several threads at a time. Null: yosys is trusted.
  std::function<void(const Geometry& geometry, const std::string& gates, const std::atomic<bool>& stop)> compare =
      nullptr;
};

/// One netlist of a block.
struct Implementation {
  std::string script;  ///< the mapping script that made it
  unsigned cells = 0, flip_flops = 0;
  double area = 0;    ///< the library's unit
  PathDelays delays;  ///< ns
};

struct BlockCost {
  const BlockType* block = nullptr;
  Geometry geometry;
  std::vector<Implementation> implementations;  ///< by all mapping scripts
  std::optional<FpgaCost> fpga;

  /// The one with the least area times critical path, the first of equals: the same rule for every block, and one that
  /// neither buys speed with any number of gates nor the reverse.
  const Implementation& best() const;
};

struct StudyRow {
  BlockCost cost;
  std::optional<BlockCost> baseline;  ///< of `against`, the same geometry
};

struct Study {
  const BlockType* block = nullptr;
  const BlockType* against = nullptr;
  Library library;
  std::vector<tools::Tool> tools;
  double fan_out_of_four = 0;  ///< of the library, ns; delays in it can be carried over to other technologies
  std::vector<StudyRow> rows;  ///< in the order of the geometries
  std::vector<unsigned> clocks_mhz;

  double nand2_equivalents(double area) const { return area / library.nand2.area; }
};

/// From the least to the most, per cent.
struct Range {
  double least = 0, most = 0;
};

/// What the block has above its baseline: the best netlist of each, and the range over the mapping scripts when one and
/// the same maps both. The range says how much of the difference is the mapping's.
struct Overhead {
  double nand2_equivalents = 0, area_percent = 0, delay_percent = 0;
  Range area_range, delay_range;
};

/// The row must have a baseline.
Overhead overhead(const Study& study, const StudyRow& row);

/// Below the request's folder: files of the tools for a point, SCRIPT.v of each implementation among them.
std::string folder_of(const StudyRequest& request, const BlockCost& cost);

/// Runs all, several at a time; the result does not depend on how many. `proceed` is called every now and then, by the
/// calling thread, with (points done, of how many); when it answers false the tools are ended and Stopped is thrown.
/// Throws InputError when a tool is missing or fails; then the others are ended, too.
Study run_study(const StudyRequest& request, const std::function<bool(std::size_t, std::size_t)>& proceed);

}  // namespace gputlm::cost
