#include "platform/cli/arguments.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <charconv>

#include "tlm/error.h"

namespace gputlm {
namespace {

/// Checks before anything converts: CLI11 takes -1 for a large number.
CLI::Validator whole_number_to(std::uint64_t most) {
  return CLI::Validator(
      [most](std::string& text) {
        std::uint64_t value = 0;
        const char* end = text.data() + text.size();
        const auto [rest, error] = std::from_chars(text.data(), end, value);
        if (error == std::errc() && rest == end && value <= most) return std::string();
        return fmt::format("found '{}', allowed: a whole number from 0 to {}", shortened(text), most);
      },
      "");
}

}  // namespace

void Arguments::positional(const std::string& name, std::string& value, const std::string& help,
                           const std::vector<std::string>& allowed) {
  CLI::Option* option = app_.add_option(name, value, help)->required();
  if (!allowed.empty()) option->check(CLI::IsMember(allowed));
}

void Arguments::optional(const std::string& name, std::string& value, const std::string& help) {
  app_.add_option(name, value, help);
}

void Arguments::positional(const std::string& name, std::vector<std::string>& values, const std::string& help) {
  app_.add_option(name, values, help)->required();
}

void Arguments::flag(const std::string& name, bool& value, const std::string& help) {
  app_.add_flag_function(
      name, [&value](std::int64_t count) { value = count > 0; }, help);
}

void Arguments::text(const std::string& name, std::string& value, const std::string& help) {
  app_.add_option(name, value, help)->capture_default_str();
}

void Arguments::text(const std::string& name, const std::function<void(const std::string&)>& take,
                     const std::string& help) {
  app_.add_option_function<std::string>(name, take, help);
}

void Arguments::texts(const std::string& name, std::vector<std::string>& values, const std::string& help) {
  app_.add_option(name, values, help)->allow_extra_args(false);
}

void Arguments::seed(std::uint64_t& value, const std::string& help) {
  whole_number(
      "--seed", [&value](std::uint64_t given) { value = given; }, help, std::numeric_limits<std::uint64_t>::max(),
      std::to_string(value));
}

bool Arguments::has(const std::string& name) const { return app_.get_option_no_throw(name) != nullptr; }

void Arguments::whole_number(const std::string& name, const std::function<void(std::uint64_t)>& take,
                             const std::string& help, std::uint64_t most, const std::string& shown_default) {
  app_.add_option_function<std::uint64_t>(name, take, help)->default_str(shown_default)->check(whole_number_to(most));
}

}  // namespace gputlm
