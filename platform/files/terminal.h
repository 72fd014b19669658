/// What the program says to whom has started it. Text that cannot be written ends nothing and costs no result: files are
/// written first, and the exit code tells of it.
#pragma once

#include <string_view>

namespace gputlm {

/// To stdout, at once.
void print(std::string_view text);
/// A line to stderr.
void print_error(std::string_view line);

/// To be called last, with the exit code; the one to end with. It is kLostText instead of 0 where text of stdout or stderr
/// could not be written.
int end_of_text(int code);
constexpr int kLostText = 74;  ///< EX_IOERR of sysexits.h

}  // namespace gputlm
