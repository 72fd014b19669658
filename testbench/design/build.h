/// A user's design as a shared library: built once by Verilator and g++, and cached by everything that it is made from.
#pragma once

#include <string>
#include <vector>

#include "testbench/design/design.h"

namespace gputlm {

/// Build options of a design. The defaults are for one that decides in the platform, where no register is read before it is
/// written: zeros are fastest.
struct RtlLibrary {
  /// C++ source that defines the function `gputlm_make`, exported with C linkage. It includes "Vdesign.h", Verilator's class
  /// Vdesign of the module, and headers without SystemC (sources.h).
  std::string code;
  std::vector<std::string> verilate = {"--x-assign", "fast", "--x-initial", "fast"};  ///< options of Verilator
  std::vector<std::string> sources = {};  ///< files of Verilator's runtime, besides those that every module needs:
                                          ///< "verilated_cov.cpp"
  std::vector<std::string> compile = {};  ///< options of the compiler: "-DVL_USER_FATAL"
  std::string optimize = "-O2";           ///< option for the design; common parts have -O2
  std::vector<std::string> link = {};     ///< libraries: "-lz"
  std::string file = {};                  ///< output file, which is not cached; empty: cached for the next time
};

/// The address of gputlm_make() of the design with these parameter values, which give it this interface. The library is
/// cached in the folder of kept runs, below rtl/; if it is missing it is built, with a message on standard error. Throws
/// InputError, with the errors of Verilator or the compiler, if it cannot be built; `stop` as for tools::run_tool().
void* build_rtl(const RtlDesign& design, const RtlDesign::Interface& interface, const RtlParameters& parameters,
                const RtlLibrary& library, const std::atomic<bool>& stop = tools::kNeverStopped);

}  // namespace gputlm
