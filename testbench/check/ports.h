/// `gputlm explain --ports KIND`: what a design of a kind has to have, and how it is driven.
#pragma once

#include <string>

namespace gputlm {

/// Parameters, ports, what is agreed on between the design and its environment, and some cycles of a run of the module of
/// rtl/, which Verilator builds for it. Throws InputError if there is no such kind, and if that cannot be built.
std::string ports_text(const std::string& kind);

/// A policy in C++ for the kind, to begin with: the file of a plugin. Throws InputError if there is no such kind.
std::string skeleton_text(const std::string& kind);

}  // namespace gputlm
