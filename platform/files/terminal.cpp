#include "platform/files/terminal.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

namespace gputlm {
namespace {

int failure = 0;  // errno of the first write that failed

void write(std::FILE* stream, std::string_view text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stream) == text.size() && std::fflush(stream) == 0;
  if (!written && failure == 0) failure = errno;
}

}  // namespace

void print(std::string_view text) { write(stdout, text); }

void print_error(std::string_view line) { write(stderr, std::string(line) + "\n"); }

int end_of_text(int code) {
  print("");
  if (failure == 0 && std::ferror(stdout) != 0) failure = EIO;  // of the help, which others have written
  if (failure == 0) return code;
  // Whoever has closed a pipe has read enough.
  if (failure != EPIPE) print_error(std::string("gputlm: text could not be written: ") + std::strerror(failure));
  return code == 0 ? kLostText : code;
}

}  // namespace gputlm
