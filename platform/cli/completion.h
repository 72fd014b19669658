/// What may come next on a command line. The scripts that `gputlm completion` prints ask for it at every press of the key,
/// so that they need not know what a command takes.
#pragma once

#include <string>
#include <vector>

namespace gputlm {

/// The first word of such a question; it is no command.
inline constexpr const char* kCompletionRequest = "__complete";

/// What the last of the words behind "gputlm", which may be empty, can become: a line each, with a tab and a few words on
/// it; ":files" or ":folders" where the shell adds these.
std::string completions(const std::vector<std::string>& words);

}  // namespace gputlm
