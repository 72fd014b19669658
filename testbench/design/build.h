/// A design of the user's own as a shared library: made by Verilator and g++ once, kept by all that it is made of.
#pragma once

#include <string>
#include <vector>

#include "testbench/design/design.h"

namespace gputlm {

/// What is made of a design. The default is that of one that decides in the platform, where no register is read before it
/// is written: zeros are fastest.
struct RtlLibrary {
  /// C++ that defines the function `gputlm_make`, exported and of C linkage. It includes "Vdesign.h", Verilator's class
  /// Vdesign of the module, and headers that know no SystemC (headers.h).
  std::string code;
  std::vector<std::string> verilate = {"--x-assign", "fast", "--x-initial", "fast"};  ///< options of Verilator
  std::vector<std::string> sources = {};  ///< of Verilator, beside those that every module takes: "verilated_cov.cpp"
  std::vector<std::string> compile = {};  ///< options of the compiler: "-DVL_USER_FATAL"
  std::string optimize = "-O2";           ///< of the design; what all designs share has -O2
  std::vector<std::string> link = {};     ///< libraries: "-lz"
  std::string file = {};                  ///< where it is made, and not kept; empty: it is kept for the next time
};

/// The address of gputlm_make() of the design with these values of its parameters, with which it has this interface. The
/// library is looked for in the folder of kept runs, below rtl/; it is made, and that is said on standard error, if it is
/// not there. Throws InputError, with the errors of Verilator or of the compiler, if it cannot be made;
/// `stop` as for tools::run_tool().
void* build_rtl(const RtlDesign& design, const RtlDesign::Interface& interface, const RtlParameters& parameters,
                const RtlLibrary& library, const std::atomic<bool>& stop = tools::kNeverStopped);

}  // namespace gputlm
