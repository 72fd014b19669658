/// What the program says to whom has started it. Text that cannot be written ends nothing and costs no result: files are
/// written first, and the exit code tells of it.
#pragma once

#include <string>
#include <string_view>

namespace gputlm {

/// To stdout, at once; to stderr, where a file has stdout.
void print(std::string_view text);
/// A file goes to stdout, "-" on the command line: from now on stdout holds nothing else. Throws InputError if another
/// file has it.
void give_stdout_to_file();
/// What the file holds.
void print_file(std::string_view text);
/// A line to stderr.
void print_error(std::string_view line);
/// "gputlm: " and what has gone wrong, to stderr.
void print_failure(std::string_view what);
/// "warning: " and what is worth knowing, to stderr.
void print_warning(std::string_view what);

/// Words that stand out on a terminal. A file or a pipe gets plain bytes, and so does a user who has set NO_COLOR
/// (https://no-color.org); CLICOLOR_FORCE, unless it is 0, says that what looks like neither is a terminal.
enum class Tone { kGood, kBad, kWarning };
/// For print().
std::string toned(std::string_view text, Tone tone);

/// To be called last, with the exit code; the one to end with. It is kLostText instead of 0 where text of stdout or stderr
/// could not be written.
int end_of_text(int code);
constexpr int kLostText = 74;  ///< EX_IOERR of sysexits.h

}  // namespace gputlm
