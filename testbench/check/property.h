/// `gputlm check --property FILE.sv`: assertions of the user's own, in a module whose inputs are ports and registers of the
/// design. It is bound to the design in the simulation, and stands beside it in the proof.
#pragma once

#include <string>
#include <vector>

#include "testbench/check/size.h"
#include "testbench/kind/kind.h"

namespace gputlm {

/// An input of a property that is called as a signal inside the design, with __ for each dot: u_queue__valid_q.
struct InnerSignal {
  std::string input;
  std::string path;  ///< "u_queue.valid_q"
  unsigned bits;
};

/// A module of assertions.
struct UserProperty {
  std::string path, module;
  std::vector<std::string> ports;       ///< of it, each named as one of the design
  std::vector<InnerSignal> inner;       ///< its other inputs
  std::vector<std::string> parameters;  ///< of it, that the design or its size has
};

/// Reads the module, for a design of this size. Throws InputError for one with an output, for an input of the kind's ports with
/// another width, for one that the design has neither as a port nor inside, and for a module with no assertion.
UserProperty read_property(const std::string& path, const Kind& kind, const SizedDesign& design);

/// An instance of the module, called `name`, for such a design. `inside`: what comes before the names of its inner signals.
std::string instance_of(const UserProperty& property, const std::string& name, const SizedDesign& design,
                        const std::string& inside);

/// Has Verilator read the properties with the design, bound to it by a file that this writes where builds are kept: its name
/// does not change as long as it does not.
void bind_properties(SizedDesign& design, const std::vector<UserProperty>& properties);

}  // namespace gputlm
