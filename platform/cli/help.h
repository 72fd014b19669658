/// What --help and `gputlm help` print, made of what commands declare.
#pragma once

#include <string>

#include "platform/cli/arguments.h"

namespace gputlm {

/// "gputlm run INPUT... [OPTION...]"
std::string usage(const Declaration& command);
/// An argument as --help names it: "--gpu GPU", "INPUT...".
std::string shown(const ArgumentInfo& argument);
/// What an argument is, its default and, of a closed list of words, what is allowed.
std::string meaning(const ArgumentInfo& argument);

std::string help_text(const Declaration& command);
/// Of the program: its commands, and where to read on.
std::string overview();

}  // namespace gputlm
