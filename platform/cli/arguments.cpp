#include "platform/cli/arguments.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

#include "tlm/base/error.h"
#include "tlm/base/numbers.h"

namespace gputlm {
namespace {

/// Checks the text before its conversion: CLI11 takes -1 for a large number.
CLI::Validator whole_number_of(const Field& range) {
  return CLI::Validator(
      [range](std::string& text) {
        if (const auto value = parse_number<std::uint64_t>(text); value && range.allows(*value)) return std::string();
        const bool is_bounded = range.most < std::numeric_limits<std::uint64_t>::max();
        return fmt::format("found '{}', allowed: a whole number from {}", shortened(text),
                           is_bounded ? range.range() : fmt::format("{} on", range.least));
      },
      "");
}

std::string in_capitals(std::string name) {
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

}  // namespace

const ArgumentInfo* Declaration::option(const std::string& sought) const {
  const auto found = std::find_if(arguments.begin(), arguments.end(), [&](const ArgumentInfo& a) {
    return a.is_option() && (a.long_name() == sought || a.short_name() == sought);
  });
  return found == arguments.end() ? nullptr : &*found;
}

ArgumentInfo& Arguments::declare(const std::string& name, const std::string& meaning, const Values& values) {
  ArgumentInfo info{{name[0] == '-' ? name : in_capitals(name), "", meaning}, values};
  if (values.written) info.meaning += "; - is standard output";
  return declaration_.arguments.emplace_back(std::move(info));
}

void Arguments::positional(const std::string& name, std::string& value, const std::string& meaning,
                           const Values& values) {
  app_.add_option(in_capitals(name), value)->required();
  declare(name, meaning, values).required = true;
}

void Arguments::optional(const std::string& name, std::string& value, const std::string& meaning,
                         const Values& values) {
  app_.add_option(in_capitals(name), value);
  declare(name, meaning, values);
}

void Arguments::positional(const std::string& name, std::vector<std::string>& several, const std::string& meaning,
                           const Values& values) {
  app_.add_option(in_capitals(name), several)->required();
  ArgumentInfo& info = declare(name, meaning, values);
  info.required = info.repeated = true;
}

void Arguments::flag(const std::string& name, bool& value, const std::string& meaning) {
  app_.add_flag_function(name, [&value](std::int64_t count) { value = count > 0; });
  declare(name, meaning, {}).flag = true;
}

void Arguments::text(const std::string& name, std::string& value, const std::string& meaning, const Values& values) {
  app_.add_option(name, value);
  ArgumentInfo& info = declare(name, meaning, values);
  if (!value.empty()) info.default_value = value;
}

void Arguments::text(const std::string& name, const std::function<void(const std::string&)>& take,
                     const std::string& meaning, const Values& values) {
  app_.add_option_function<std::string>(name, take);
  declare(name, meaning, values);
}

void Arguments::texts(const std::string& name, std::vector<std::string>& several, const std::string& meaning,
                      const Values& values) {
  app_.add_option(name, several)->allow_extra_args(false);
  declare(name, meaning, values).repeated = true;
}

void Arguments::seed(std::uint64_t& value, const std::string& meaning) {
  whole_number(
      "--seed", [&value](std::uint64_t given) { value = given; }, meaning, 0, std::numeric_limits<std::uint64_t>::max(),
      std::to_string(value));
}

void Arguments::whole_number(const std::string& name, const std::function<void(std::uint64_t)>& take,
                             const std::string& meaning, std::uint64_t least, std::uint64_t most,
                             const std::string& shown_default) {
  ArgumentInfo& info = declare(name, meaning, {"N"});
  info.least = least;
  info.most = most;
  if (!shown_default.empty()) info.default_value = shown_default;
  app_.add_option_function<std::uint64_t>(name, take)->check(whole_number_of(info));
}

void Arguments::not_together(const std::string& name, const std::vector<std::string>& others) {
  for (const std::string& other : others) app_.get_option(name)->excludes(app_.get_option(other));
}

void Arguments::needs(const std::string& name, const std::string& other) {
  app_.get_option(name)->needs(app_.get_option(other));
}

void Arguments::example(const std::string& line, const std::string& meaning) {
  declaration_.examples.push_back({"gputlm " + line, meaning});
}

}  // namespace gputlm
