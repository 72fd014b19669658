#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "platform/cli/commands.h"
#include "platform/cli/host_process.h"
#include "platform/cli/many_runs.h"
#include "platform/cli/slurm_runs.h"
#include "platform/files/json_text.h"
#include "platform/files/output_folder.h"
#include "platform/files/terminal.h"
#include "platform/input/preset.h"
#include "platform/lab/chart.h"
#include "platform/share/find.h"
#include "platform/share/study.h"
#include "platform/share/tables.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

constexpr const char* kTable = "share.csv";
constexpr const char* kLosses = "share_losses.csv";
constexpr const char* kJson = "share.json";
constexpr const char* kTables = "share.sqlite";
constexpr const char* kPicture = "share.svg";
constexpr const char* kWorkload = "share.yaml";

std::string found_text(const ShareFound& found, const ShareQuery& query, const std::vector<WayOutcome>& outcomes) {
  if (found.way.empty()) return "Found nothing: there are no ways.\n";
  const auto way = std::find_if(outcomes.begin(), outcomes.end(),
                                [&](const WayOutcome& outcome) { return outcome.way == found.way; });
  return fmt::format("{} {}: {} ({} splits tried)\n",
                     found.meets ? "Found" : "No way meets these conditions; the nearest is", found.way,
                     query.values(*way), found.tried);
}

/// The runs of programs alone, and together under each way, for tasks of Slurm.
class PlannedShare final : public PlannedRuns {
 public:
  PlannedShare(ShareRequest request, const RunStore& store) : study_(on_nodes(std::move(request))) {
    JobOptions options;
    options.store = &store;
    options.proceed = [] { return !interrupted(); };
    study_.prepare(options);
  }
  std::size_t size() const override { return study_.size(); }
  Job job(std::size_t place) const override { return study_.job(place); }
  std::string text(std::size_t place) const override { return study_.text(place); }
  ShareStudy& study() { return study_; }

 private:
  static ShareRequest on_nodes(ShareRequest request) {
    request.memory = std::numeric_limits<Bytes>::max();  // the nodes' memory is the limit
    return request;
  }
  ShareStudy study_;
};

class ShareCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override;
  int execute() override;

 private:
  int here();
  int on_slurm();
  void open_results(OutputFolder& folder) const;
  void report(const ShareStudy& study, OutputFolder* folder, const ShareQuery* query = nullptr,
              const std::optional<ShareFound>& found = std::nullopt, std::size_t asked_for = 0) const;

  ShareRequest request_;
  std::vector<std::string> job_ranges_, profiles_;
  std::string find_, out_;
  ManyRuns runs_;
  SlurmRuns slurm_;
};

void ShareCommand::declare(Arguments& arguments) {
  request_.gpu = kDefaultGpu;
  arguments.positional("programs", request_.inputs,
                       "Captures, traces, workload files (each application is a program); NAME=FILE names a program",
                       Values::file());
  arguments.text("--gpu", request_.gpu, "Preset (gputlm list gpus) or GPU file",
                 Values::names_or_files("GPU", {"gpus"}));
  arguments.texts("--set", request_.settings, "key=value of every run, may be repeated (gputlm list parameters)",
                  Values::settings());
  arguments.seed(request_.seed, "Seed of all randomness");
  arguments.texts("--job-range", job_ranges_,
                  "[PROGRAM=]RANGE: each range of this name (NVTX, user_annotation) of a capture is a job",
                  Values{"[PROGRAM=]RANGE"});
  arguments.texts("--profile", profiles_, "[PROGRAM=]FILE: demands of a capture's kernels, a table of Nsight Compute",
                  Values::file());
  arguments.texts("--key", request_.keys,
                  "[PROGRAM.]KEY=VALUE: a key of a program as an application of a workload file (gputlm list keys)",
                  Values{"[PROGRAM.]KEY=VALUE"});
  arguments.texts("--way", request_.chosen, "Only this way, or ways of this kind (own: of --ways); may be repeated",
                  Values::names("WAY", {"ways"}));
  arguments.text("--ways", request_.ways_file, "More ways: the variants of a YAML file", Values::file());
  arguments.text("--find", find_, "Search splits for a way: \"p99(a) < 1.2 max throughput(b)\" (docs/share.md)",
                 Values{"QUERY"});
  arguments.text("--out", out_,
                 "Folder for share.csv, share_losses.csv, share.json, share.sqlite, share.svg and share.yaml, the "
                 "workload with each "
                 "way as a variant",
                 Values::folder());
  runs_.declare(arguments);
  slurm_.declare(arguments);
  arguments.example("share decode.sqlite train.sqlite --gpu h100_sxm", "what two programs cost each other, way by way");
  arguments.example("share a=one.sqlite b=two.sqlite --job-range a=step --way mps --way green-contexts",
                    "judged by the jobs of one of them, under some ways");
  arguments.example("share decode.sqlite train.sqlite --gpu h100_sxm --out /shared/out --slurm",
                    "by tasks of a cluster");
}

int ShareCommand::execute() {
  // Both options set keys of a program under their own names.
  const auto add_keys = [&](const char* key, const std::vector<std::string>& values) {
    for (const std::string& value : values) {
      const std::size_t equals = value.find('=');
      const bool all = equals == std::string::npos;
      request_.keys.push_back(all ? fmt::format("{}={}", key, value)
                                  : fmt::format("{}.{}={}", value.substr(0, equals), key, value.substr(equals + 1)));
    }
  };
  add_keys("jobs", job_ranges_);
  add_keys("profile", profiles_);
  if (slurm_.is_task()) {
    return slurm_.work([this](const RunStore& store) { return std::make_unique<PlannedShare>(request_, store); });
  }
  if (slurm_.asked()) return on_slurm();
  slurm_.refuse();
  return here();
}

void ShareCommand::open_results(OutputFolder& folder) const {
  for (const char* name : {kTable, kLosses, kJson, kTables, kWorkload}) folder.file(name);
}

int ShareCommand::here() {
  request_.memory = runs_.memory_limit();
  ShareStudy study(request_);
  std::optional<ShareQuery> query;
  if (!find_.empty()) query.emplace(find_, study.to_share().programs);
  runs_.begin();
  std::optional<OutputFolder> folder;
  if (!out_.empty()) open_results(folder.emplace(out_));  // before the runs, so that no result is lost
  JobOptions jobs;
  runs_.set(jobs);
  study.run(jobs);
  const std::size_t asked_for = study.ways().size();
  std::optional<ShareFound> found;
  if (query) found = find_way(study, *query, jobs);
  const std::string kept = runs_.end();
  report(study, folder ? &*folder : nullptr, query ? &*query : nullptr, found, asked_for);
  print_error(kept);
  return kDone;
}

int ShareCommand::on_slurm() {
  if (!find_.empty()) throw InputError("--find has no effect on tasks of Slurm: its next step depends on results");
  if (const std::string option = runs_.given(); !option.empty()) {
    throw InputError(option + " has no effect on tasks of Slurm (--slurm-cpus, --slurm-memory)");
  }
  if (out_.empty()) throw InputError("--slurm needs --out, a folder that all nodes see");
  const RunStore store(out_ + "/runs");
  PlannedShare planned(request_, store);
  CampaignRecord record;
  slurm_.set(record.slurm);
  record.runs = campaign_runs(planned, "share");
  record.study = fmt::format("{}", fmt::join(planned.study().to_share().programs, " + "));
  slurm_.begin();
  OutputFolder folder(out_);
  open_results(folder);
  const std::optional<Campaign> campaign = slurm_.carry_out(std::move(record), planned, out_, "the same command");
  if (!campaign) return slurm_.exit_code();
  JobOptions collect;
  collect.store = &campaign->store();
  collect.proceed = [] { return !interrupted(); };
  planned.study().run(collect);
  report(planned.study(), &folder);
  return kDone;
}

/// `found`: result of a search for `query`, in addition to the requested ways.
void ShareCommand::report(const ShareStudy& study, OutputFolder* folder, const ShareQuery* query,
                          const std::optional<ShareFound>& found, std::size_t asked_for) const {
  const std::vector<WayOutcome> outcomes = share_outcomes(study);
  const std::vector<ProgramLoss> losses = share_losses(study);
  if (folder) {
    folder->file(kTable).write(share_csv(outcomes));
    folder->file(kLosses).write(losses_csv(losses));
    folder->file(kJson).write(json_text(share_json(study, outcomes, losses)));
    folder->file(kTables).write(share_database(outcomes, losses));
    folder->file(kWorkload).write(study.workload_text());
    folder->commit();
  }
  release_interrupts();
  // The files contain everything that a search tried; a reader wants the requested ways and the result.
  std::vector<std::string> tried;
  for (std::size_t w = asked_for; found && w < study.ways().size(); ++w) {
    if (study.ways()[w].name != found->way) tried.push_back(study.ways()[w].name);
  }
  const auto shown = [&](auto all) {
    const auto unwanted = [&](const auto& entry) {
      return std::find(tried.begin(), tried.end(), entry.way) != tried.end();
    };
    all.erase(std::remove_if(all.begin(), all.end(), unwanted), all.end());
    return all;
  };
  if (folder && study.programs().size() > 1) write_chart(out_ + "/" + kPicture, share_picture(shown(outcomes)));
  print(share_text(shown(outcomes)));
  if (study.programs().size() > 1)
    print("\nTime that programs lost, mean over their jobs in us, by cause:\n\n" + losses_text(shown(losses)));
  if (found) print("\n" + found_text(*found, *query, outcomes));
  for (const std::string& note : share_notes(study)) print_error("note: " + note);
}

GPUTLM_REGISTER {
  add_command<ShareCommand>("share", "Find what programs cost each other on a GPU, for each way to share it",
                            CommandGroup::kRun);
}

}  // namespace
}  // namespace gputlm
