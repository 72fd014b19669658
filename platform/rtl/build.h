/// A design of the user's own as a shared library: made by Verilator and g++ once, kept by all that it is made of.
#pragma once

#include <string>

#include "platform/rtl/design.h"

namespace gputlm {

/// A function without arguments that a shared library has.
using RtlMaker = void* (*)();

/// What makes modules of the design with these values of its parameters, with which it has this interface. `code` is C++ that defines `void* gputlm_make()`,
/// exported and of C linkage, and includes "Vdesign.h", Verilator's class Vdesign of the module, and headers of models/ that
/// know no SystemC (headers()). The library is looked for in the folder of kept runs, below rtl/; it is made, and that is
/// said on standard error, if it is not there. Throws InputError, with the errors of Verilator or of the compiler, if it
/// cannot be made.
RtlMaker build_rtl(const RtlDesign& design, const RtlDesign::Interface& interface, const RtlParameters& parameters,
                   const std::string& code);

}  // namespace gputlm
