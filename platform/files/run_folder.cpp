#include "platform/files/run_folder.h"

#include <fmt/format.h>

#include <filesystem>

#include "platform/files/atomic_file.h"
#include "tlm/base/digest.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

Json parse(const std::string& path, const std::string& text) {
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) throw InputError(path, 0, "is no JSON object");
  return json;
}

void check_schema(const Json& result, const std::string& path) {
  const auto schema = result.find("schema");
  const std::string found = schema != result.end() && schema->is_string() ? schema->get<std::string>() : "";
  if (found == kResultSchema) return;
  throw InputError(path, 0,
                   found.rfind("gputlm-result-", 0) == 0
                       ? fmt::format("is of another version of the program: found the schema {}, allowed: {}",
                                     shortened(found), kResultSchema)
                       : fmt::format("is no result of gputlm run: allowed is the schema {}", kResultSchema));
}

}  // namespace

RunFolder::RunFolder(const std::string& path) {
  std::error_code none;
  const bool is_folder = fs::is_directory(path, none);
  folder_ = is_folder ? path : fs::path(path).parent_path().string();
  if (folder_.empty()) folder_ = ".";
  const std::string record = is_folder ? (fs::path(path) / run_files::kResult).string() : path;
  if (!fs::exists(record, none))
    throw InputError(path, 0, "has no result.json, allowed: a folder that `gputlm run --out` has written");
  const std::string text = read_text(record);
  result_ = parse(record, text);
  check_schema(result_, record);
  digest_ = sha1(text);
  if (const auto files = result_.find("files"); files != result_.end() && files->is_object()) files_ = *files;
}

std::optional<std::string> RunFolder::read(const std::string& name) const {
  const auto digest = files_.find(name);
  if (digest == files_.end()) return std::nullopt;
  std::string text = read_text(path_of(name));
  if (sha1(text) != *digest)
    throw InputError(path_of(name), 0, "is not the file that result.json lists (its SHA-1 differs)");
  return text;
}

nlohmann::ordered_json RunFolder::performance() const {
  const std::string path = path_of(run_files::kPerformance);
  if (!fs::exists(path)) return nullptr;
  Json performance = parse(path, read_text(path));
  return performance["result"] == digest_ ? performance : Json();
}

}  // namespace gputlm
