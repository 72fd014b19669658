/// Checks that the netlist that yosys made from a user's module behaves like Verilator's class of it. yosys 0.23 silently
/// misinterprets some constructs (docs/rtl.md); its results then belong to another design.
#pragma once

#include <atomic>
#include <string>

#include "testbench/check/size.h"
#include "testbench/kind/kind.h"
#include "tlm/base/error.h"
#include "tlm/base/tools/tool.h"

namespace gputlm {

/// Thrown if the netlist behaves differently.
struct OtherNetlist : InputError {
  using InputError::InputError;
};

/// Name of the module in the netlist's file.
inline constexpr const char* kNetlistModule = "gputlm_netlist";

/// Simulates both with the same random traffic of the kind. `netlist`: its file, in a folder for build products. Throws
/// OtherNetlist with the first output that differs, and InputError as build_rtl() does.
void expect_same_netlist(const SizedDesign& design, const Kind& kind, const std::string& netlist,
                         const std::atomic<bool>& stop = tools::kNeverStopped);

}  // namespace gputlm
