/// The SystemVerilog sources of rtl/, compiled into the program.
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

}  // namespace gputlm
