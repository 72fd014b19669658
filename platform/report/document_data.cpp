#include "platform/report/document_data.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "platform/files/text_file.h"
#include "platform/report/packed_table.h"
#include "tlm/error.h"

namespace gputlm {

namespace {

constexpr const char* kSummary = "summary.csv";

/// What `gputlm sweep --out` has filled.
bool is_study(const std::filesystem::path& path) {
  return std::filesystem::is_directory(path) && std::filesystem::exists(path / kSummary);
}

/// Of a folder, the file of `gputlm share` in it.
std::string file_of(const std::string& path) {
  const std::filesystem::path share = std::filesystem::path(path) / "share.json";
  return std::filesystem::is_directory(path) && std::filesystem::exists(share) ? share.string() : path;
}

}  // namespace

std::optional<std::string> list_of_document(const std::string& path) {
  if (is_study(path)) return "studies";
  // The schema comes first; a result of a run may be too large to be read for this.
  constexpr std::streamsize kBegin = 100;
  std::string begin(kBegin, '\0');
  std::ifstream file(file_of(path), std::ios::binary);
  file.read(begin.data(), kBegin);
  const std::string_view read(begin.data(), static_cast<std::size_t>(file.gcount()));
  for (const auto& [schema, list] : {std::pair("\"gputlm-check-1\"", "checks"), std::pair("\"gputlm-cost-1\"", "costs"),
                                     std::pair("\"gputlm-share-1\"", "shares")}) {
    if (read.find(schema) != std::string_view::npos) return list;
  }
  return std::nullopt;
}

nlohmann::ordered_json document_data(const std::string& path) {
  if (is_study(path)) {
    nlohmann::ordered_json study{{"path", path}};
    for (const auto& [name, file] : {std::pair("summary", kSummary), std::pair("baseline", "baseline.csv")}) {
      const std::string table = (std::filesystem::path(path) / file).string();
      if (std::filesystem::exists(table)) study[name] = packed_csv(table, read_text(table)).json();
    }
    return study;
  }
  auto result = nlohmann::ordered_json::parse(read_text(file_of(path)), nullptr, /*allow_exceptions=*/false);
  if (!result.is_object()) throw InputError(path, 0, "is no JSON object");
  return {{"path", path}, {"result", std::move(result)}};
}

}  // namespace gputlm
