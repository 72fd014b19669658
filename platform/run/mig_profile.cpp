#include "platform/run/mig_profile.h"

#include <fmt/format.h>

#include <regex>

namespace gputlm {

std::string MigProfile::gpu_instance() const {
  return gigabytes ? fmt::format("{}g.{}gb", sevenths, *gigabytes) : fmt::format("{}g", sevenths);
}

std::optional<MigProfile> parse_mig_profile(const std::string& name) {
  static const std::regex form(R"((?:MIG +)?(?:(\d)c\.)?(\d)g(?:\.(\d{1,4})gb)?(?:\+me|\+me\.all|\+gfx|-me)?)",
                               std::regex::icase);
  std::smatch found;
  if (!std::regex_match(name, found, form)) return std::nullopt;
  const auto number = [&](std::size_t group) { return static_cast<unsigned>(std::stoul(found[group])); };
  MigProfile profile;
  if (found[1].matched) profile.slices = number(1);
  profile.sevenths = number(2);
  if (found[3].matched) profile.gigabytes = number(3);
  return profile;
}

}  // namespace gputlm
