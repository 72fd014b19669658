#include "platform/share/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "models/sm/sm_model.h"
#include "platform/files/json_text.h"
#include "platform/input/application_alone.h"
#include "platform/input/nearest.h"
#include "platform/input/preset.h"
#include "platform/input/run_input.h"
#include "platform/input/workload_file.h"
#include "platform/run/check_fits.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kName = "<programs that share>";  ///< name of the workload in messages

bool has_phases(const Workload& workload) {
  const auto later = [](const auto& item) { return item.phase > 0; };
  return std::any_of(workload.launches.begin(), workload.launches.end(), later) ||
         std::any_of(workload.jobs.begin(), workload.jobs.end(), later);
}

bool has_loops(const Workload& workload, ApplicationId application) {
  return std::any_of(workload.threads.begin(), workload.threads.end(), [&](const ThreadSpec& thread) {
    return thread.application == application &&
           std::any_of(thread.calls.begin(), thread.calls.end(),
                       [](const HostCall& call) { return call.kind == HostCall::Kind::kLoop; });
  });
}

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

ShareStudy::ShareStudy(ShareRequest request) : request_(std::move(request)) {
  config_ = load_gpu(request_.gpu, &origins_);
  GpuConfig asked_for = config_;
  for (const std::string& setting : request_.settings) set_assignment(asked_for, setting);
  std::vector<SharingWay> ways;
  if (request_.workload.empty()) {
    programs_ = shared_programs(request_.inputs, request_.keys, asked_for, request_.seed);
  } else {
    ways = take_workload();
  }
  repeats_.assign(programs_.programs.size(), false);
  const Run base = run_of(document(false), "");
  check(base);
  const bool phases = has_phases(base.workload);
  for (std::size_t p = 0; p < repeats_.size(); ++p) {
    const auto application = static_cast<ApplicationId>(p);
    repeats_[p] = !phases && !has_loops(base.workload, application);
    Run alone = base;
    alone.workload = application_alone(base.workload, application);
    runs_.add(key_alone(p), std::move(alone));
  }
  if (request_.workload.empty()) ways = standard_ways(to_share());
  if (!request_.ways_file.empty()) {
    for (SharingWay& way : ways_of_file(request_.ways_file)) {
      const auto same = [&](const SharingWay& other) { return other.name == way.name; };
      ways.erase(std::remove_if(ways.begin(), ways.end(), same), ways.end());
      ways.push_back(std::move(way));
    }
  }
  const std::vector<SharingWay> some = chosen(ways, request_.chosen);
  const auto is_own = [](const SharingWay& way) { return way.kind == kOwnWays; };
  if (!request_.ways_file.empty() && std::none_of(some.begin(), some.end(), is_own)) {
    throw InputError(fmt::format("--ways: --way leaves out all ways of {}, allowed: some of them (--way {}: all)",
                                 request_.ways_file, kOwnWays));
  }
  for (const SharingWay& way : some) add(way);
}

std::vector<SharingWay> ShareStudy::take_workload() {
  given_ = document_of_text(request_.workload, kName);
  for (const Json& application : given_.at("applications"))
    programs_.programs.push_back({application.at("name"), "workload", application});
  std::vector<SharingWay> ways;
  Json others = Json::object();
  for (SharingWay& way : ways_of_text(request_.workload, kName)) {
    if (way.name == request_.no_way) {
      others[way.name] = way.change;
    } else {
      ways.push_back(std::move(way));
    }
  }
  given_["variants"] = std::move(others);
  return ways;
}

Json ShareStudy::document(bool again) const {
  if (!given_.is_null()) {
    Json file = given_;
    for (std::size_t p = 0; p < programs_.programs.size(); ++p) {
      if (again && repeats_[p]) file["applications"][p]["relaunch"] = true;
    }
    return file;
  }
  Json file = Json::object();
  Json settings = Json::object();
  const bool spins = std::all_of(programs_.programs.begin(), programs_.programs.end(),
                                 [](const SharedProgram& program) { return program.format == "capture"; });
  if (spins && !config_.mmu.enabled) settings["sm.model"] = "blocks";
  for (const std::string& setting : programs_.settings) {
    const std::size_t equals = setting.find('=');
    settings[setting.substr(0, equals)] = setting.substr(equals + 1);
  }
  if (!settings.empty()) file["settings"] = settings;
  Json& applications = file["applications"] = Json::array();
  for (std::size_t p = 0; p < programs_.programs.size(); ++p) {
    applications.push_back(programs_.programs[p].application);
    if (again && repeats_[p]) applications.back()["relaunch"] = true;
  }
  return file;
}

std::string ShareStudy::workload_text() const {
  Json file = document(true);
  for (const SharingWay& way : ways_) file["variants"][way.name] = way.change;
  return yaml_text(file);
}

Run ShareStudy::run_of(const Json& document, const std::string& variant) const {
  Run run;
  GpuConfig asked_for = config_;
  for (const std::string& setting : request_.settings) set_assignment(asked_for, setting);
  std::string variants = variant;
  if (request_.everywhere) variants += (variants.empty() ? "" : "+") + request_.no_way;
  const std::string name = variants.empty() ? kName : kName + ("#" + variants);
  run.workload = load_workload_text(yaml_text(document), name, request_.seed, &asked_for);
  run.config = config_;
  Origins origins = origins_;
  for (const std::string& setting : run.workload.settings) set_assignment(run.config, setting, &origins);
  for (const std::string& setting : request_.settings) set_assignment(run.config, setting, &origins);
  validate(run.config, {request_.gpu, 0}, origins);
  run.keep_blocks = false;
  return run;
}

void ShareStudy::check(const Run& run) const {
  check_fits(run.config, run.workload);
  check_memory(run.config, {request_.gpu, 0}, {}, run.workload, request_.memory);
}

ShareStudy::Unknown ShareStudy::unknown(std::size_t program) const {
  Unknown unknown;
  const bool captured = programs_.programs[program].format == "capture";
  for (const LaunchCommand& launch : alone(program).workload.launches) {
    ++unknown.of;
    unknown.launches += captured && !launch.kernel->demand;
  }
  return unknown;
}

ToShare ShareStudy::to_share() const {
  ToShare what{gpu(), {}, false};
  for (std::size_t p = 0; p < repeats_.size(); ++p) {
    what.programs.push_back(programs_.programs[p].name);
    const Unknown launches = unknown(p);
    what.use_memory = what.use_memory || launches.launches < launches.of;
  }
  what.use_memory = what.use_memory && sends_accesses(what.gpu.sm.model);
  return what;
}

bool ShareStudy::add(const SharingWay& way) {
  Json file = document(true);
  file["variants"][way.name] = way.change;
  try {
    Run run = run_of(file, way.name);
    check(run);
    runs_.add(key_together(way.name), std::move(run));
  } catch (const InputError& error) {
    if (way.kind == kOwnWays) throw;  // the user must correct a way of their own
    refused_.push_back({way.name, error.what()});
    return false;
  }
  ways_.push_back(way);
  return true;
}

SharedPrograms shared_programs(const std::vector<std::string>& inputs, const std::vector<std::string>& keys,
                               const GpuConfig& gpu, std::uint64_t seed) {
  Collector collector(gpu, seed);
  for (const std::string& input : inputs) collector.add(input);
  for (const std::string& key : keys) collector.set(key);
  return collector.take();
}

}  // namespace gputlm
