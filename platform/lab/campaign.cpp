#include "platform/lab/campaign.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>

#include "platform/files/atomic_file.h"
#include "platform/files/json_text.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kRecord = "campaign.json";

std::string name_in(const std::string& folder, const std::string& name) { return folder + "/" + name; }

/// Applies `read` to a file's JSON. Throws InputError if the file is missing, or is not one of ours.
template <class Read>
auto read_json(const std::string& path, const std::string& missing, Read read) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path, 0, missing);
  try {
    return read(Json::parse(file));
  } catch (const Json::exception& error) {
    throw InputError(path, 0, std::string("is damaged: ") + error.what());
  }
}

CampaignRecord campaign_record_of(const Json& json) {
  CampaignRecord record;
  json.at("name").get_to(record.name);
  json.at("study").get_to(record.study);
  json.at("program").get_to(record.program);
  json.at("command").get_to(record.command);
  json.at("directory").get_to(record.directory);
  json.at("plugins").get_to(record.plugins);
  json.at("slurm").get_to(record.slurm);
  for (const Json& run : json.at("runs")) record.runs.push_back({run.at("id"), run.at("run")});
  for (const Json& s : json.at("submissions")) {
    record.submissions.push_back({s.at("job"), s.at("tasks"), s.at("ended")});
  }
  return record;
}

Json to_json(const CampaignRecord& record) {
  Json json{{"name", record.name},       {"study", record.study},         {"program", record.program},
            {"command", record.command}, {"directory", record.directory}, {"plugins", record.plugins},
            {"slurm", record.slurm},     {"submissions", Json::array()},  {"runs", Json::array()}};
  for (const CampaignSubmission& s : record.submissions) {
    json["submissions"].push_back({{"job", s.job}, {"tasks", s.tasks}, {"ended", s.ended}});
  }
  for (const CampaignRun& run : record.runs) json["runs"].push_back({{"id", run.id}, {"run", run.what}});
  return json;
}

std::string new_name() {
  std::random_device random;
  return fmt::format("gputlm-{:08x}", random());
}

std::string node() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "?";
}

void check_program(const CampaignTask& task) {
  if (program_digest() == task.program) return;
  throw InputError(
      "the program, its libraries or its plugins are not those of the controller: both must run in the same image, and "
      "neither may be replaced while a sweep is running");
}

/// The jobs of the task, which refer to `runs`. Throws InputError if one of them is not the expected one.
std::vector<Job> jobs_of(const CampaignTask& task, const PlannedRuns& runs) {
  std::vector<Job> jobs;
  for (const CampaignTask::Run& run : task.runs) {
    if (run.place >= runs.size() || runs.job(run.place).id != run.id) {
      throw InputError(task.study, 0,
                       "it, a GPU or a workload that it names has changed since the runs were submitted");
    }
    jobs.push_back(runs.job(run.place));
  }
  return jobs;
}

}  // namespace

Campaign::Campaign(std::string folder, CampaignRecord record)
    : folder_(std::move(folder)), record_(std::move(record)), store_(name_in(folder_, "runs")) {
  for (const char* name : {"tasks", "failed"}) make_output_folder(file(name));
}

Campaign Campaign::open(const std::string& folder) {
  const std::string path = fs::absolute(folder).lexically_normal().string();
  return {path, read_json(name_in(path, kRecord), "is not there: allowed is a folder that was given to --slurm --out",
                          campaign_record_of)};
}

Campaign Campaign::begin(const std::string& folder, CampaignRecord record) {
  const std::string path = fs::absolute(folder).lexically_normal().string();
  record.name = new_name();
  if (fs::exists(name_in(path, kRecord))) {
    CampaignRecord before = read_json(name_in(path, kRecord), "is gone", campaign_record_of);
    record.name = before.name;
    record.submissions = std::move(before.submissions);
  }
  Campaign campaign(path, std::move(record));
  campaign.save();
  return campaign;
}

void Campaign::save() const { write_file(file(kRecord), json_text(to_json(record_))); }

std::string Campaign::array_name(std::size_t submission) const {
  return fmt::format("{}.{}", record_.name, submission);
}

std::vector<std::size_t> Campaign::missing() const {
  std::vector<std::size_t> places;
  std::set<std::string> seen;
  for (std::size_t place = 0; place < record_.runs.size(); ++place) {
    const std::string& id = record_.runs[place].id;
    if (seen.insert(id).second && !store_.find(id)) places.push_back(place);
  }
  return places;
}

std::set<std::string> Campaign::finished() const {
  std::set<std::string> ids;
  std::error_code error;  // an entry may be replaced during the iteration
  for (const auto& entry : fs::directory_iterator(store_.folder(), error)) {
    if (entry.path().extension() == ".run") ids.insert(entry.path().stem().string());
  }
  return ids;
}

std::size_t Campaign::plan(const std::vector<std::size_t>& places, std::size_t tasks) {
  const std::size_t number = record_.submissions.size() + 1;
  std::vector<Json> runs(tasks, Json::array());
  for (std::size_t i = 0; i < places.size(); ++i) {
    runs[i % tasks].push_back({{"place", places[i]}, {"id", record_.runs[places[i]].id}});
  }
  for (std::size_t task = 0; task < tasks; ++task) {
    write_file(file(fmt::format("tasks/{}.{}.json", number, task)),
               json_text({{"study", record_.study}, {"program", record_.program}, {"runs", runs[task]}}));
  }
  record_.submissions.push_back({"", tasks, {}});
  save();
  return number;
}

void Campaign::note(std::size_t submission, const CampaignSubmission& what) {
  record_.submissions.at(submission - 1) = what;
  save();
}

CampaignTask Campaign::task(const std::string& folder, const std::string& task) {
  return read_json(name_in(folder, "tasks/" + task + ".json"), "is not there: it is no task of this campaign",
                   [](const Json& json) {
                     CampaignTask read{json.at("study"), json.at("program"), {}};
                     for (const Json& run : json.at("runs")) read.runs.push_back({run.at("place"), run.at("id")});
                     return read;
                   });
}

void Campaign::fail(const std::string& folder, const std::string& id, const CampaignFailure& f) {
  write_file(name_in(folder, "failed/" + id + ".json"),
             json_text({{"why", f.why}, {"task", f.task}, {"node", f.node}, {"killed", f.killed}}));
}

std::map<std::string, CampaignFailure> Campaign::failures() const {
  std::map<std::string, CampaignFailure> failures;
  for (const auto& entry : fs::directory_iterator(file("failed"))) {
    if (entry.path().extension() != ".json") continue;
    failures[entry.path().stem().string()] = read_json(entry.path().string(), "is gone", [](const Json& json) {
      return CampaignFailure{json.at("why"), json.at("task"), json.at("node"), json.at("killed")};
    });
  }
  return failures;
}

void Campaign::forget_failures() const {
  for (const auto& entry : fs::directory_iterator(file("failed"))) fs::remove(entry.path());
}

namespace {

/// Ids of the runs assigned to tasks that have not ended.
struct Given {
  std::set<std::string> running, waiting;
};
Given given(const Campaign& campaign, const std::vector<SlurmTask>& tasks) {
  Given all;
  for (const SlurmTask& task : tasks) {
    if (task.ended()) continue;
    const std::string number = task.array.substr(campaign.record().name.size() + 1);
    for (const auto& run : Campaign::task(campaign.folder(), fmt::format("{}.{}", number, task.number)).runs) {
      (task.runs() ? all.running : all.waiting).insert(run.id);
    }
  }
  return all;
}

}  // namespace

CampaignStatus status_of(const Campaign& campaign, const std::vector<SlurmTask>& tasks) {
  CampaignStatus status;
  const std::set<std::string> finished = campaign.finished();
  const auto failures = campaign.failures();
  const Given with = given(campaign, tasks);
  std::set<std::string> seen;
  for (const CampaignRun& run : campaign.record().runs) {
    if (!seen.insert(run.id).second) continue;
    ++status.of;
    if (finished.count(run.id) > 0) {
      ++status.done;
    } else if (with.running.count(run.id) > 0) {
      ++status.running;
    } else if (with.waiting.count(run.id) > 0) {
      ++status.waiting;
    } else if (failures.count(run.id) > 0) {
      ++status.failed;
    }
  }
  return status;
}

std::string status_text(const Campaign& campaign, const std::vector<SlurmTask>& tasks) {
  constexpr std::size_t kMaxShown = 20;
  const CampaignRecord& record = campaign.record();
  const CampaignStatus s = status_of(campaign, tasks);
  std::string text = fmt::format("{}: {} of {} runs done, {} in running tasks, {} in waiting tasks, {} failed\n",
                                 record.study, s.done, s.of, s.running, s.waiting, s.failed);
  for (std::size_t number = 1; number <= record.submissions.size(); ++number) {
    const CampaignSubmission& submission = record.submissions[number - 1];
    std::map<std::string, std::size_t> states;
    std::string reason;
    for (const SlurmTask& task : tasks) {
      if (task.array != campaign.array_name(number)) continue;
      ++states[task.state];
      if (task.state == "PENDING" && task.reason != "None") reason = task.reason;
    }
    if (states.empty()) states = submission.ended;  // Slurm has forgotten them
    text += fmt::format("submission {}: {}, {} task{}", number,
                        submission.job.empty() ? "not known to Slurm" : "job " + submission.job, submission.tasks,
                        submission.tasks == 1 ? "" : "s");
    for (const auto& [state, count] : states) text += fmt::format(", {} {}", count, state);
    text += reason.empty() ? "\n" : fmt::format(" ({})\n", reason);
  }
  const std::set<std::string> finished = campaign.finished();
  const auto failures = campaign.failures();
  std::size_t shown = 0;
  for (const CampaignRun& run : record.runs) {
    const auto failure = failures.find(run.id);
    if (failure == failures.end() || finished.count(run.id) > 0) continue;
    if (++shown > kMaxShown) continue;
    text += fmt::format("failed: {}: {} (task {} on {})\n", run.what, shortened(failure->second.why, 400),
                        failure->second.task, failure->second.node);
  }
  if (shown > kMaxShown) text += fmt::format("and {} more\n", shown - kMaxShown);
  return text;
}

std::size_t work_on(const std::string& folder, const std::string& name, const MakePlan& plan, const JobOptions& given) {
  const CampaignTask task = Campaign::task(folder, name);
  const auto fail = [&](const std::string& id, const std::string& why, bool killed) {
    Campaign::fail(folder, id, {why, name, node(), killed});
  };
  const RunStore store(folder + "/runs");
  try {
    check_program(task);
    const std::unique_ptr<PlannedRuns> runs = plan(store);
    const std::vector<Job> jobs = jobs_of(task, *runs);
    JobOptions options = given;
    options.store = &store;
    options.failed = [&](const RunFailure& f) { fail(jobs[f.job].id, f.why, f.kind == RunFailure::Kind::kKilled); };
    carry_out(jobs, options);
  } catch (const InputError& error) {
    for (const CampaignTask::Run& run : task.runs) fail(run.id, error.what(), false);
    throw;
  }
  return static_cast<std::size_t>(std::count_if(task.runs.begin(), task.runs.end(),
                                                [&](const CampaignTask::Run& run) { return !store.find(run.id); }));
}

}  // namespace gputlm
