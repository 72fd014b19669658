/// `gputlm check --property FILE.sv`: assertions of the user's own, in a module that has ports of the design as inputs. It is
/// bound to the design in the simulation, and stands beside it in the proof.
#pragma once

#include <string>
#include <vector>

#include "platform/cli/check/size.h"
#include "platform/rtl/kind.h"

namespace gputlm {

/// A module of assertions.
struct UserProperty {
  std::string path, module;
  std::vector<std::string> ports;       ///< of it, each named as one of the design
  std::vector<std::string> parameters;  ///< of it, that the design or its size has
};

/// Reads the module. Throws InputError for one with an output, with a port that a design of the kind does not have, and with
/// no assertion.
UserProperty read_property(const std::string& path, const RtlKind& kind, const RtlDesign::Interface& design,
                           const RtlParameters& size);

/// An instance of the module beside a design of this size, called `name`. `parameters`: values of what is no size.
std::string instance_of(const UserProperty& property, const std::string& name, const RtlParameters& size,
                        const RtlParameters& parameters);

/// Has Verilator read the properties with the design, bound to it by a file that this writes where builds are kept: its name
/// does not change as long as it does not.
void bind_properties(SizedDesign& design, const std::vector<UserProperty>& properties);

}  // namespace gputlm
