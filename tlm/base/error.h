/// Errors that a user can act on. The command line prints them and exits with code 2.
#pragma once

#include <stdexcept>
#include <string>

namespace gputlm {

/// `text`, with its middle left out if it is longer than `most` bytes, without splitting a UTF-8 character. Input may be a
/// megabyte long, and a message has to stay readable.
std::string shortened(const std::string& text, std::size_t most = 100);

/// An error in the input: where (file and line if known), what was found, what is allowed. At most kMaxBytes long.
class InputError : public std::runtime_error {
 public:
  static constexpr std::size_t kMaxBytes = 1900;  // 2 KB with the text that the command line adds

  explicit InputError(const std::string& what) : std::runtime_error(shortened(what, kMaxBytes)) {}
  InputError(const std::string& file, std::size_t line, const std::string& what)
      : InputError(file + (line ? ":" + std::to_string(line) : std::string()) + ": " + what) {}
};

}  // namespace gputlm
