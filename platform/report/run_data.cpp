#include "platform/report/run_data.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "platform/files/result_schema.h"
#include "platform/files/text_file.h"
#include "platform/report/blocks.h"
#include "platform/report/packed_table.h"
#include "platform/report/series.h"
#include "tlm/digest.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

/// Taken as they are.
constexpr const char* kTables[] = {
    "jobs", "copies", "slices", "responses_histogram", "responses_percentiles", "responses_worst", "responses_parts"};
constexpr std::size_t kMaxIntervals = 1000;  // of series.csv: as many as a chart has pixels

Json parse(const fs::path& path, const std::string& text) {
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) throw InputError(path.string(), 0, "is no JSON object");
  return json;
}

/// A file beside the result; none if the run wrote none.
std::optional<std::string> read_file_of(const Json& result, const fs::path& folder, const std::string& name) {
  const auto digest = result["files"].find(name);
  if (digest == result["files"].end()) return std::nullopt;
  std::string text = read_text((folder / name).string());
  if (sha1(text) != *digest)
    throw InputError((folder / name).string(), 0, "is not the file that result.json speaks of (its SHA-1 is another)");
  return text;
}

}  // namespace

Json run_data(const std::string& given, std::size_t most_boxes) {
  const bool is_folder = fs::is_directory(given);
  const fs::path folder = is_folder ? fs::path(given) : fs::path(given).parent_path();
  const fs::path record = is_folder ? folder / "result.json" : fs::path(given);
  if (is_folder && !fs::exists(record))
    throw InputError(given, 0, "has no result.json, allowed: a folder that `gputlm run --out` has filled");
  const std::string text = read_text(record.string());
  Json result = parse(record, text);
  bring_up_to_date(result, record.string());
  if (!result["files"].is_object()) result["files"] = Json::object();

  Json run{{"path", given}};
  run["kernels"] = packed_objects(result["kernels"]).json();
  result.erase("kernels");
  if (const auto blocks = read_file_of(result, folder, "blocks.csv"))
    run["blocks"] = packed_blocks((folder / "blocks.csv").string(), *blocks, most_boxes);
  run["tables"] = Json::object();
  for (const char* name : kTables) {
    const std::string file = std::string(name) + ".csv";
    if (const auto csv = read_file_of(result, folder, file))
      run["tables"][name] = packed_csv((folder / file).string(), with_current_header(name, *csv)).json();
  }
  if (const auto csv = read_file_of(result, folder, "series.csv"))
    run["tables"]["series"] = packed_series((folder / "series.csv").string(), *csv, kMaxIntervals);
  result.erase("copies");  // copies.csv
  if (fs::exists(folder / "performance.json")) {
    const fs::path file = folder / "performance.json";
    Json performance = parse(file, read_text(file.string()));
    if (performance["result"] == sha1(text)) run["performance"] = std::move(performance);
  }
  run["result"] = std::move(result);
  return run;
}

}  // namespace gputlm
