/// `gputlm cost`: what a block of rtl/ costs in gates.
#pragma once

#include <string>

#include "testbench/cost/blocks.h"
#include "testbench/cost/library.h"

namespace gputlm {

struct CostCommand {
  std::string block;
  std::string against;  ///< the block to compare with; empty: none
  cost::GivenParameters parameters;
  std::string liberty = cost::kDefaultLibrary;
  std::string nand2;  ///< cell to count in; empty: found by its function
  bool ice40 = false;
  unsigned jobs = 0;  ///< 0: as many as there are processors
  std::string keep;   ///< folder for the tools' files; empty: not kept
  std::string out;    ///< folder for cost.csv and cost.svg; empty: none
  bool csv = false;
  bool json = false;
};

/// Runs it and prints the result; returns the exit code. Throws InputError.
int cost_of(const CostCommand& command);

}  // namespace gputlm
