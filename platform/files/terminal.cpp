#include "platform/files/terminal.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tlm/base/error.h"

namespace gputlm {
namespace {

int failure = 0;  // errno of the first write that failed
bool stdout_is_a_file = false;

void write(std::FILE* stream, std::string_view text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stream) == text.size() && std::fflush(stream) == 0;
  if (!written && failure == 0) failure = errno;
}

bool in_colour(int stream) {
  const auto set = [](const char* name) {
    const char* const value = std::getenv(name);
    return value && *value != '\0' ? std::string(value) : std::string();
  };
  if (!set("NO_COLOR").empty()) return false;
  if (const std::string force = set("CLICOLOR_FORCE"); !force.empty() && force != "0") return true;
  return isatty(stream) != 0 && set("TERM") != "dumb";
}

std::string toned(std::string_view text, Tone tone, int stream) {
  if (!in_colour(stream)) return std::string(text);
  // ECMA-48, select graphic rendition: the terminal's green, red and yellow.
  const char* const on = tone == Tone::kGood ? "\033[32m" : tone == Tone::kBad ? "\033[31m" : "\033[33m";
  return on + std::string(text) + "\033[0m";
}

}  // namespace

void print(std::string_view text) { write(stdout_is_a_file ? stderr : stdout, text); }

void give_stdout_to_file() {
  if (stdout_is_a_file) throw InputError("found two files that go to standard output (-), allowed: one");
  stdout_is_a_file = true;
}

void print_file(std::string_view text) { write(stdout, text); }

void print_error(std::string_view line) { write(stderr, std::string(line) + "\n"); }

void print_failure(std::string_view what) {
  print_error(toned("gputlm:", Tone::kBad, STDERR_FILENO) + " " + std::string(what));
}

void print_warning(std::string_view what) {
  print_error(toned("warning:", Tone::kWarning, STDERR_FILENO) + " " + std::string(what));
}

std::string toned(std::string_view text, Tone tone) {
  return toned(text, tone, stdout_is_a_file ? STDERR_FILENO : STDOUT_FILENO);
}

int end_of_text(int code) {
  print_file("");
  if (failure == 0 && std::ferror(stdout) != 0) failure = EIO;  // for help text, which other code has written
  if (failure == 0) return code;
  // The reader of a closed pipe needs no more text.
  if (failure != EPIPE) print_failure(std::string("text could not be written: ") + std::strerror(failure));
  return code == 0 ? kLostText : code;
}

}  // namespace gputlm
