/// Whether the netlist that yosys has made of a user's module does what Verilator's class of it does. yosys 0.23 reads some
/// constructs otherwise, without a word (docs/rtl.md), and then what it says is of another design.
#pragma once

#include <atomic>
#include <string>

#include "testbench/check/size.h"
#include "testbench/kind/kind.h"
#include "tlm/error.h"
#include "tlm/tools/tool.h"

namespace gputlm {

/// Thrown where it does not.
struct OtherNetlist : InputError {
  using InputError::InputError;
};

/// Module of the netlist's file.
inline constexpr const char* kNetlistModule = "gputlm_netlist";

/// Plays both with the same random traffic of the kind. `netlist`: its file, in a folder for what is built. Throws
/// OtherNetlist, with the first output that differs, if one does, and InputError as build_rtl() does.
void expect_same_netlist(const SizedDesign& design, const Kind& kind, const std::string& netlist,
                         const std::atomic<bool>& stop = tools::kNeverStopped);

}  // namespace gputlm
