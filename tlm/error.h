/// Errors that a user can act on. The command line prints them and exits with code 2.
#pragma once

#include <stdexcept>
#include <string>

namespace gputlm {

/// `text`, with its middle left out if it has more than `most` bytes; no UTF-8 character is cut. What is found in input
/// may be a megabyte long, and a message has to stay readable.
std::string shortened(const std::string& text, std::size_t most = 100);

/// Bad input: where (file and line, as far as known), what was found, what is allowed. At most kMaxBytes long.
class InputError : public std::runtime_error {
 public:
  static constexpr std::size_t kMaxBytes = 1900;  // 2 KB with what the command line puts around it

  explicit InputError(const std::string& what) : std::runtime_error(shortened(what, kMaxBytes)) {}
  InputError(const std::string& file, std::size_t line, const std::string& what)
      : InputError(file + (line ? ":" + std::to_string(line) : std::string()) + ": " + what) {}
};

}  // namespace gputlm
