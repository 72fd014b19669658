/// What the program prints for its user. A failure to print ends nothing and costs no result: files are written first, and
/// the exit code reports it.
#pragma once

#include <string>
#include <string_view>

namespace gputlm {

/// Prints to stdout immediately; to stderr if a file is written to stdout.
void print(std::string_view text);
/// Reserves stdout for a file ("-" on the command line): from now on it holds nothing else. Throws InputError if another file
/// has it already.
void give_stdout_to_file();
/// Prints the contents of that file.
void print_file(std::string_view text);
/// Prints a line to stderr.
void print_error(std::string_view line);
/// Prints "gputlm: " and the failure to stderr.
void print_failure(std::string_view what);
/// Prints "warning: " and the text to stderr.
void print_warning(std::string_view what);

/// Highlighting on a terminal. A file or a pipe gets plain bytes, and so does a user who sets NO_COLOR
/// (https://no-color.org); CLICOLOR_FORCE, unless it is 0, forces highlighting.
enum class Tone { kGood, kBad, kWarning };
/// Highlights text for print().
std::string toned(std::string_view text, Tone tone);

/// Call it last, with the exit code; returns the code to exit with, which is kLostText instead of 0 if text for stdout or
/// stderr was lost.
int end_of_text(int code);
constexpr int kLostText = 74;  ///< EX_IOERR of sysexits.h

}  // namespace gputlm
