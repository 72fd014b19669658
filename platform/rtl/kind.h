/// Kinds of designs that a user may bring: which ports one has, and which decision of the GPU it takes.
#pragma once

#include <string>
#include <vector>

#include "platform/rtl/design.h"
#include "tlm/registry.h"

namespace gputlm {

struct RtlKind : Registered {
  std::string like;                          ///< whose ports it has: "rtl/fr_rr_fcfs_arbiter.sv"
  std::vector<std::string> inputs, outputs;  ///< all of them, beside clk_i and rst_ni
  /// Registers the design, which has this interface, as a policy.
  void (*add)(const RtlDesign& design, const RtlDesign::Interface& interface) = nullptr;
};

Registry<RtlKind>& rtl_kinds();

/// The kind with whose ports the design has most in common. Throws InputError if it lacks one of them, has an input beyond
/// them, or has one of the other direction.
const RtlKind& rtl_kind_of(const RtlDesign& design, const RtlDesign::Interface& interface);

/// Of `values`, those that the module has as parameters.
RtlParameters parameters_of(const RtlDesign::Interface& interface, const RtlParameters& values);

}  // namespace gputlm
