/// Completes a command line. The scripts that `gputlm completion` prints ask for it at every press of the key, so they need
/// not know any arguments.
#pragma once

#include <string>
#include <vector>

namespace gputlm {

/// The first word of such a request; not a command.
inline constexpr const char* kCompletionRequest = "__complete";

/// Completions of the last of the words behind "gputlm", which may be empty: one per line, with a description after a tab;
/// ":files" or ":folders" asks the shell to add these.
std::string completions(const std::vector<std::string>& words);

}  // namespace gputlm
