#include "platform/report/report_file.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "platform/files/atomic_file.h"
#include "platform/report/packed_table.h"
#include "tlm/base/digest.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

constexpr const char* kSummary = "summary.csv";

/// A folder written by `gputlm sweep --out`.
bool is_study(const std::filesystem::path& path) {
  return std::filesystem::is_directory(path) && std::filesystem::exists(path / kSummary);
}

/// For a folder, the file of `gputlm share` in it.
std::string file_of(const std::string& path) {
  const std::filesystem::path share = std::filesystem::path(path) / "share.json";
  return std::filesystem::is_directory(path) && std::filesystem::exists(share) ? share.string() : path;
}

/// The list of the page's data for a JSON file, by its schema (docs/rtl.md, docs/cost.md, docs/share.md), or for a folder by
/// its share.json or summary.csv; none for anything else.
std::optional<std::string> list_of_document(const std::string& path) {
  if (is_study(path)) return "studies";
  // The schema comes first; a run's result may be too large to be parsed for this.
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

/// The contents of a report besides runs: results of `gputlm check` and `gputlm cost` for a design in SystemVerilog, of
/// `gputlm share` for ways to share, and the tables of a study (`gputlm sweep`), unchanged. {"path", "result"}, or for a
/// study {"path", "summary", "baseline"} as tables (packed_table.h), the latter if present. Throws InputError if the file is
/// neither a JSON object nor a table.
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

/// The beginning of a report.
constexpr std::string_view kMark = "<!doctype html>\n<!-- A report of gputlm";

/// Escapes `<` in a way that JSON allows, so that nothing ends the enclosing script.
std::string for_a_script(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text.push_back(c);
    }
  }
  return text;
}

/// The page with its marks, @nonce@ and so on, replaced.
std::string filled_in(std::string_view page, const std::vector<std::pair<std::string_view, std::string_view>>& marks) {
  std::string text;
  while (!page.empty()) {
    std::size_t at = page.size();
    std::pair<std::string_view, std::string_view> next;
    for (const auto& mark : marks) {
      const std::size_t place = page.find(mark.first);
      if (place < at) at = place, next = mark;
    }
    text.append(page.substr(0, at)).append(next.second);
    page.remove_prefix(std::min(page.size(), at + next.first.size()));
  }
  return text;
}

}  // namespace

std::string report_page(const std::vector<std::string>& results, std::size_t most_boxes) {
  using Json = nlohmann::ordered_json;
  Json all{{"runs", Json::array()},
           {"checks", Json::array()},
           {"costs", Json::array()},
           {"shares", Json::array()},
           {"studies", Json::array()}};
  for (const std::string& result : results) {
    if (const auto list = list_of_document(result)) {
      all[*list].push_back(document_data(result));
    } else {
      all["runs"].push_back(run_data(result, most_boxes / results.size()));
    }
  }
  const std::string data = for_a_script(all.dump(-1, ' ', false, Json::error_handler_t::replace));
  // Scripts run only with the nonce, which nobody who chooses names in the data can know.
  const std::string nonce = sha1(data);
  return filled_in(page_source(), {{"@nonce@", nonce}, {"@echarts@", chart_library()}, {"@data@", data}});
}

void check_is_report(const std::string& path) {
  if (!std::filesystem::exists(path)) return;
  std::ifstream file(path, std::ios::binary);
  std::string begin(kMark.size(), '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  if (begin != kMark) throw InputError(path, 0, "exists and is not a report, allowed: another name, or --force");
}

}  // namespace gputlm
