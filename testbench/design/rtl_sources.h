/// The SystemVerilog sources of rtl/ and of its contracts, compiled into the program.
#pragma once

#include <string>
#include <vector>

namespace gputlm {

struct RtlSource {
  std::string name;  ///< of the file, without a folder
  std::string text;
};

/// Headers (*.svh) first, then the modules in the order of rtl/filelist.f.
const std::vector<RtlSource>& rtl_sources();

/// What is proved of a design (testbench/kinds).
const std::vector<RtlSource>& contract_sources();

}  // namespace gputlm
