/// `gputlm check --property FILE.sv`: the user's own assertions, in a module whose inputs are ports and registers of the
/// design. The simulation binds it to the design, the proof instantiates it beside it.
#pragma once

#include <string>
#include <vector>

#include "testbench/check/size.h"
#include "testbench/kind/kind.h"

namespace gputlm {

/// An input of a property that is named after a signal inside the design, with __ for each dot: u_queue__valid_q.
struct InnerSignal {
  std::string input;
  std::string path;  ///< path in the design: "u_queue.valid_q"
  unsigned bits;
};

/// A module of assertions.
struct UserProperty {
  std::string path, module;
  std::vector<std::string> ports;       ///< its ports that are named as ports of the design
  std::vector<InnerSignal> inner;       ///< its other inputs
  std::vector<std::string> parameters;  ///< its parameters that the design or its size has
};

/// Reads the module, for a design of this size. Throws InputError for an output, for an input of the kind's ports with
/// another width, for an input that the design has neither as a port nor inside, and for a module without assertions.
UserProperty read_property(const std::string& path, const Kind& kind, const SizedDesign& design);

/// An instance of the module, called `name`, for such a design. `inside`: prefix of the names of its inner signals.
std::string instance_of(const UserProperty& property, const std::string& name, const SizedDesign& design,
                        const std::string& inside);

/// Binds the properties to the design for Verilator, through a file in the folder of builds, whose name depends only on its
/// contents.
void bind_properties(SizedDesign& design, const std::vector<UserProperty>& properties);

}  // namespace gputlm
