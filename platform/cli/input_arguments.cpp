#include "platform/cli/input_arguments.h"

#include <filesystem>
#include <set>
#include <system_error>

#include <utility>

#include "platform/files/json_text.h"
#include "platform/input/parameters.h"
#include "tlm/base/digest.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using Json = nlohmann::ordered_json;

/// The traces from which blocks are read on demand: by name and size, since their contents are read only once.
Json traces_json(const Workload& workload, const std::vector<std::string>& paths) {
  std::set<std::string> seen(paths.begin(), paths.end());
  std::uint64_t files = 0, bytes = 0;
  std::string lines;
  for (const LaunchCommand& launch : workload.launches) {
    std::error_code error;
    if (!seen.insert(launch.file).second || !std::filesystem::is_regular_file(launch.file, error)) continue;
    const std::uint64_t size = std::filesystem::file_size(launch.file, error);
    lines += std::filesystem::path(launch.file).filename().string() + " " + std::to_string(size) + "\n";
    ++files;
    bytes += size;
  }
  if (files == 0) return nullptr;
  return {{"files", files}, {"bytes", bytes}, {"sha1_of_names_and_sizes", sha1(lines)}};
}

std::string text_of(const Json& value) {
  return shortened(value.is_string() ? value.get<std::string>() : value.dump());
}

/// "WHAT THEIRS, here OURS".
void add(std::string& differences, const std::string& what, const Json& theirs, const Json& ours) {
  differences += (differences.empty() ? "" : "; ") + what + " " + text_of(theirs) + ", here " + text_of(ours);
}

/// The first parameter that has different values on both sides.
bool add_parameter(std::string& differences, const std::string& prefix, const Json& theirs, const Json& ours) {
  for (const auto& [name, value] : ours.items()) {
    if (!theirs.is_object() || !theirs.contains(name) || theirs[name] == value) continue;
    if (value.is_object() ? add_parameter(differences, prefix + name + ".", theirs[name], value)
                          : (add(differences, prefix + name, theirs[name], value), true))
      return true;
  }
  return false;
}

/// The input without its names, which may differ: only the contents count.
Json contents(const Json& input) {
  Json all = Json::array();
  for (const Json& file : input.value("files", Json::array())) all.push_back(file.value("sha1", ""));
  all.push_back(input.value("traces", Json()));
  return all;
}

}  // namespace

void InputArguments::declare(Arguments& arguments) {
  arguments.positional("input", files_,
                       "Workload file (YAML; - reads it from standard input), traces, or another format "
                       "(gputlm list formats)",
                       Values::file());
  arguments.text("--gpu", gpu_, "Preset (gputlm list gpus) or GPU file", Values::names_or_files("GPU", {"gpus"}));
  arguments.texts("--set", settings_, "key=value, may be repeated (gputlm list parameters)", Values::settings());
  arguments.seed(seed_, "Seed of all randomness");
  for (const InputFormat& format : input_formats()) {
    for (const FormatOption& option : format.options) {
      if (option.file) {
        arguments.texts(option.name, files_of_formats_[option.name], option.meaning, Values::file());
        continue;
      }
      arguments.text(
          option.name, [this, name = option.name](const std::string& value) { of_formats_[name] = value; },
          option.meaning);
    }
  }
}

LoadedInput InputArguments::load(std::vector<std::string> settings, std::uint64_t seed) const {
  settings.insert(settings.end(), settings_.begin(), settings_.end());
  LoadedInput loaded;
  loaded.config = load_gpu(gpu_, &loaded.origins);
  GpuConfig asked_for = loaded.config;  // without the workload's own settings
  for (const std::string& setting : settings) set_assignment(asked_for, setting);
  std::multimap<std::string, std::string> own(of_formats_.begin(), of_formats_.end());
  for (const auto& [name, files] : files_of_formats_) {
    for (const std::string& file : files) own.emplace(name, file);
  }
  loaded.input = load_run_input(files_, {seed, std::move(own), &asked_for});
  for (const std::string& setting : loaded.input.workload.settings)
    set_assignment(loaded.config, setting, &loaded.origins);
  for (const std::string& setting : settings) set_assignment(loaded.config, setting, &loaded.origins);
  validate(loaded.config, {gpu_, 0}, loaded.origins);
  return loaded;
}

nlohmann::ordered_json provenance_of(const RunInput& input, const std::vector<std::string>& paths,
                                     const GpuConfig& config, std::uint64_t seed) {
  std::string name;
  Json files = Json::array();
  for (const InputFile& file : input.files) {
    name += (name.empty() ? "" : ", ") + file.name;
    files.push_back({{"name", file.name}, {"bytes", file.bytes}, {"sha1", file.sha1}});
  }
  Json json{{"input", {{"name", name}, {"format", input.format}, {"files", files}}},
            {"gpu", config.name},
            {"seed", seed},
            {"configuration", to_json(config)}};
  if (const Json traces = traces_json(input.workload, paths); !traces.is_null()) json["input"]["traces"] = traces;
  return json;
}

void check_earlier_result(const std::string& path, const nlohmann::ordered_json& ours) {
  const Json theirs = read_members(path, {"schema", "seed", "gpu", "input", "configuration"});
  if (theirs.is_null()) return;
  std::string differences;
  if (text_of(theirs.value("schema", Json())).rfind("gputlm-result-", 0) != 0) {
    differences = "it is not of 'gputlm run'";
  } else {
    const Json input = theirs.value("input", Json());
    if (input.is_object() && contents(input) != contents(ours.at("input"))) {
      const Json name = input.value("name", Json());
      if (name != ours["input"]["name"]) {
        add(differences, "input", name, ours["input"]["name"]);
      } else {
        differences = "input " + text_of(name) + ", whose content was another";
      }
    }
    if (theirs.value("gpu", Json()) != ours["gpu"]) {
      add(differences, "GPU", theirs.value("gpu", Json()), ours["gpu"]);
    } else if (theirs.contains("configuration")) {
      add_parameter(differences, "", theirs["configuration"], ours["configuration"]);
    }
    if (theirs.value("seed", Json()) != ours["seed"])
      add(differences, "seed", theirs.value("seed", Json()), ours["seed"]);
  }
  if (differences.empty()) return;
  throw InputError(path, 0,
                   "is the result of something else (" + differences + "); allowed: another folder, or --force");
}

}  // namespace gputlm
