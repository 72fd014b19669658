/// What a command takes from the command line. A thin face of CLI11, which is nothing but headers and takes ten seconds
/// to compile: only arguments.cpp and cli.cpp see it.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace gputlm {

/// Each call declares one argument, in the order in which --help shows them; the referred variable is its default and
/// takes what the user gives. A value that is not allowed ends the program with exit code 2 and says what is.
class Arguments {
 public:
  explicit Arguments(CLI::App& app) : app_(app) {}

  /// An argument without a name of its own, which must be given. `allowed`: the only values; empty: any.
  void positional(const std::string& name, std::string& value, const std::string& help,
                  const std::vector<std::string>& allowed = {});
  /// One that may be left out.
  void optional(const std::string& name, std::string& value, const std::string& help);
  /// One or more of them.
  void positional(const std::string& name, std::vector<std::string>& values, const std::string& help);

  void flag(const std::string& name, bool& value, const std::string& help);
  /// --help shows the default unless it is empty.
  void text(const std::string& name, std::string& value, const std::string& help);
  void text(const std::string& name, const std::function<void(const std::string&)>& take, const std::string& help);
  /// One value each time, but the option may be repeated.
  void texts(const std::string& name, std::vector<std::string>& values, const std::string& help);

  /// A whole number from 0 to `most`.
  template <class Number>
  void number(const std::string& name, Number& value, const std::string& help,
              std::uint64_t most = std::numeric_limits<Number>::max()) {
    whole_number(
        name, [&value](std::uint64_t given) { value = static_cast<Number>(given); }, help, most);
  }
  template <class Number>
  void number(const std::string& name, std::optional<Number>& value, const std::string& help,
              std::uint64_t most = std::numeric_limits<Number>::max()) {
    whole_number(
        name, [&value](std::uint64_t given) { value = static_cast<Number>(given); }, help, most);
  }
  /// --seed, with its default.
  void seed(std::uint64_t& value, const std::string& help);

  /// Whether an option of that name has been declared.
  bool has(const std::string& name) const;

 private:
  void whole_number(const std::string& name, const std::function<void(std::uint64_t)>& take, const std::string& help,
                    std::uint64_t most, const std::string& shown_default = "");

  CLI::App& app_;
};

}  // namespace gputlm
