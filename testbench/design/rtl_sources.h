/// The SystemVerilog sources of rtl/ and of its contracts, compiled into the program.
#pragma once

#include <string>
#include <vector>

namespace gputlm {

struct RtlSource {
  std::string name;  ///< name of the file, without folder
  std::string text;
};

/// Headers (*.svh) first, then the modules in the order of rtl/filelist.f.
const std::vector<RtlSource>& rtl_sources();

/// Contracts that are proved for designs (testbench/kinds).
const std::vector<RtlSource>& contract_sources();

}  // namespace gputlm
