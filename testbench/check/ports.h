/// `gputlm explain --ports KIND`: the interface of a design of a kind, and how it is driven.
#pragma once

#include <string>

namespace gputlm {

/// Parameters, ports, the protocol between the design and its environment, and some cycles of a run of the module of rtl/,
/// which Verilator builds for this purpose. Throws InputError if there is no such kind, or if the module cannot be built.
std::string ports_text(const std::string& kind);

/// A C++ policy for the kind as a starting point: the source file of a plugin. Throws InputError if there is no such kind.
std::string skeleton_text(const std::string& kind);

}  // namespace gputlm
