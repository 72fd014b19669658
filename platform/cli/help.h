/// The text of --help and `gputlm help`, generated from the declarations of commands.
#pragma once

#include <string>

#include "platform/cli/arguments.h"

namespace gputlm {

/// "gputlm run INPUT... [OPTION...]"
std::string usage(const Declaration& command);
/// An argument as --help shows it: "--gpu GPU", "INPUT...".
std::string shown(const ArgumentInfo& argument);
/// The meaning of an argument, its default and, for a closed list of words, the allowed ones.
std::string meaning(const ArgumentInfo& argument);

std::string help_text(const Declaration& command);
/// The program's overview: its commands, and where to read on.
std::string overview();

}  // namespace gputlm
