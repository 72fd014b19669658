/// Errors that a user can act on. The command line prints them and exits with code 2.
#pragma once

#include <stdexcept>
#include <string>

namespace gputlm {

/// Bad input: where (file and line, as far as known), what was found, what is allowed.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& what) : std::runtime_error(what) {}
  InputError(const std::string& file, std::size_t line, const std::string& what)
      : std::runtime_error(file + (line ? ":" + std::to_string(line) : std::string()) + ": " + what) {}
};

}  // namespace gputlm
