#include "platform/files/json_file.h"

#include <filesystem>
#include <fstream>
#include <system_error>

namespace gputlm {

using Json = nlohmann::ordered_json;

nlohmann::ordered_json read_members(const std::string& path, const std::set<std::string>& members) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return nullptr;
  std::ifstream file(path, std::ios::binary);
  const auto keep = [&](int depth, Json::parse_event_t event, Json& parsed) {
    return depth != 1 || event != Json::parse_event_t::key || members.count(parsed.get<std::string>()) > 0;
  };
  const Json json = Json::parse(file, keep, /*allow_exceptions=*/false);
  return json.is_object() ? json : Json();
}

}  // namespace gputlm
