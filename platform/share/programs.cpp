#include "platform/share/programs.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "platform/input/nearest.h"
#include "platform/input/run_input.h"
#include "platform/input/workload_file.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using Json = nlohmann::ordered_json;

/// NAME=FILE, unless a file has all of that as its name.
std::pair<std::string, std::string> name_and_path(const std::string& input) {
  const std::size_t equals = input.find('=');
  std::error_code error;
  if (equals == std::string::npos || std::filesystem::exists(input, error)) return {"", input};
  return {input.substr(0, equals), input.substr(equals + 1)};
}

/// Name of a file or folder up to its first dot.
std::string stem_of(const std::string& path) {
  const std::filesystem::path where(path);
  const std::string file = (where.has_filename() ? where : where.parent_path()).filename().string();
  return file.substr(0, file.find('.', 1));
}

class Collector {
 public:
  Collector(const GpuConfig& gpu, std::uint64_t seed) : gpu_(gpu), seed_(seed) {}

  void add(const std::string& input) {
    const auto [name, path] = name_and_path(input);
    const InputFormat& format = input_format(path);
    if (format.source.empty()) {
      throw InputError(
          path, 0,
          "is a " + format.name + "; allowed are captures, traces and workload files, which `gputlm convert` makes");
    }
    const std::string from = std::filesystem::absolute(path).lexically_normal().string();
    if (format.source != "workload") return add(name.empty() ? stem_of(path) : name, format, {{format.source, from}});
    const Workload workload = load_workload(path, seed_, &gpu_);
    for (const std::string& setting : workload.settings) {
      if (std::find(all_.settings.begin(), all_.settings.end(), setting) == all_.settings.end())
        all_.settings.push_back(setting);
    }
    for (const ApplicationSpec& application : workload.applications) {
      const bool only = workload.applications.size() == 1;
      const std::string of_file = name.empty() ? application.name : only ? name : name + "-" + application.name;
      add(of_file, format, {{"workload", from}, {"application", application.name}});
    }
  }

  void set(const std::string& key_text) {
    const std::size_t equals = key_text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InputError("--key: found '" + shortened(key_text) + "', allowed: PROGRAM.KEY=VALUE or KEY=VALUE");
    const std::string left = key_text.substr(0, equals), value = key_text.substr(equals + 1);
    const std::size_t dot = left.rfind('.');
    if (dot == std::string::npos) {
      for (SharedProgram& program : all_.programs) put(program.application, left, value);
      return;
    }
    const std::string name = left.substr(0, dot);
    const auto found = std::find_if(all_.programs.begin(), all_.programs.end(),
                                    [&](const SharedProgram& p) { return p.name == name; });
    if (found == all_.programs.end())
      throw InputError("--key: no program '" + shortened(name) + "'" + suggestion(name, names()));
    put(found->application, left.substr(dot + 1), value);
  }

  SharedPrograms take() { return std::move(all_); }

 private:
  static void put(Json& application, const std::string& key, const std::string& value) {
    Json& entry = application[key];
    if (entry.is_null()) {
      entry = value;
    } else {
      if (!entry.is_array()) entry = Json::array({entry});
      entry.push_back(value);
    }
  }

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const SharedProgram& program : all_.programs) all.push_back(program.name);
    return all;
  }

  void add(std::string name, const InputFormat& format, const Json& source) {
    const std::string given = name;
    for (std::size_t number = 2; !names_.insert(name).second; ++number) name = given + "-" + std::to_string(number);
    Json application{{"name", name}};
    application.update(source);
    all_.programs.push_back({std::move(name), format.name, std::move(application)});
  }

  const GpuConfig& gpu_;
  std::uint64_t seed_;
  SharedPrograms all_;
  std::set<std::string> names_;
};

}  // namespace

SharedPrograms shared_programs(const std::vector<std::string>& inputs, const std::vector<std::string>& keys,
                               const GpuConfig& gpu, std::uint64_t seed) {
  Collector collector(gpu, seed);
  for (const std::string& input : inputs) collector.add(input);
  for (const std::string& key : keys) collector.set(key);
  return collector.take();
}

}  // namespace gputlm
