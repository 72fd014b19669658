#include "platform/probes/recordings.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "platform/files/atomic_file.h"
#include "tlm/error.h"
#include "tlm/numbers.h"

namespace gputlm {

RecordedRun::RecordedRun(std::string folder) : folder_(std::move(folder)) {
  const std::string path = folder_ + "/result.json";
  if (!std::filesystem::is_regular_file(path)) {
    throw InputError(folder_ + ": is no folder of a run: there is no result.json in it (gputlm run ... --out FOLDER)");
  }
  const auto result = nlohmann::json::parse(read_text(path), nullptr, false);
  if (!result.is_object() || !result.contains("configuration"))
    throw InputError(path + ": is no result of a run: it has no configuration");
  configuration_ = result["configuration"];
}

bool RecordedRun::has(const std::string& file) const { return std::filesystem::is_regular_file(folder_ + "/" + file); }

std::string RecordedRun::text(const std::string& file, const std::string& probe) const {
  if (!has(file)) {
    throw InputError(
        fmt::format("{}: has no {}, which the run writes with --probe {} --out FOLDER", folder_, file, probe));
  }
  return read_text(folder_ + "/" + file);
}

const nlohmann::json* RecordedRun::find(const std::string& parameter) const {
  const nlohmann::json* found = &configuration_;
  for (std::size_t begin = 0; begin != std::string::npos;) {
    const std::size_t dot = parameter.find('.', begin);
    const std::string key = parameter.substr(begin, dot == std::string::npos ? dot : dot - begin);
    if (!found->is_object() || !found->contains(key)) return nullptr;
    found = &(*found)[key];
    begin = dot == std::string::npos ? dot : dot + 1;
  }
  return found;
}

const nlohmann::json& RecordedRun::value(const std::string& parameter) const {
  if (const nlohmann::json* const found = find(parameter)) return *found;
  throw InputError(fmt::format("{}/result.json: has no {} in its configuration", folder_, parameter));
}

double RecordedRun::number(const std::string& parameter) const {
  const nlohmann::json& found = value(parameter);
  if (!found.is_number()) throw InputError(fmt::format("{}/result.json: {} is no number", folder_, parameter));
  return found.get<double>();
}

std::string RecordedRun::name(const std::string& parameter) const {
  const nlohmann::json& found = value(parameter);
  if (!found.is_string()) throw InputError(fmt::format("{}/result.json: {} is no name", folder_, parameter));
  return found.get<std::string>();
}

Registry<RecordingReader>& recording_readers() {
  static Registry<RecordingReader> all("recording");
  return all;
}

RecordingValue::RecordingValue(const std::string& probe, const std::string& value, const char* what)
    : probe_(probe), what_(what) {
  if (value.empty()) return;
  const std::size_t comma = value.find(',');
  const auto of_unit = parse_number<std::size_t>(value.substr(0, comma));
  const auto most =
      comma == std::string::npos ? std::optional(decisions) : parse_number<std::uint64_t>(value.substr(comma + 1));
  if (!of_unit || !most || *most == 0) {
    throw InputError(fmt::format("--probe {}: found '{}', allowed: {}={}[,DECISIONS], numbers, e.g. {}=0,20000", probe,
                                 shortened(value), probe, what, probe));
  }
  unit = *of_unit;
  decisions = *most;
}

void RecordingValue::check(std::size_t units) const {
  if (unit < units) return;
  throw InputError(fmt::format("--probe {}: found {} {}, allowed: 0 to {}", probe_, what_, unit, units - 1));
}

}  // namespace gputlm
