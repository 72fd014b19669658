#include "platform/share/study.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/sm/sm_model.h"
#include "platform/files/json_text.h"
#include "platform/input/application_alone.h"
#include "platform/input/preset.h"
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

}  // namespace gputlm
