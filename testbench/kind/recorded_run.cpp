#include "testbench/kind/recorded_run.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "platform/files/atomic_file.h"
#include "tlm/base/error.h"
#include "tlm/base/numbers.h"

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

}  // namespace gputlm
