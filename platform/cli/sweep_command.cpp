#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "platform/bounds/row.h"
#include "platform/cli/commands.h"
#include "platform/cli/host_process.h"
#include "platform/cli/many_runs.h"
#include "platform/cli/slurm_runs.h"
#include "platform/files/output_folder.h"
#include "platform/files/rows.h"
#include "platform/files/table.h"
#include "platform/files/terminal.h"
#include "platform/lab/results_database.h"
#include "platform/lab/study_tables.h"
#include "testbench/kind/load.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

/// The study of a workload that cannot be analysed: its tasks have no bounds, and the run is not repeated.
BoundStudy without_bounds(const Workload& workload, const std::string& why) {
  BoundStudy study;
  study.bounds.resize(workload.tasks.size());
  study.simulated.resize(workload.tasks.size());
  for (TaskBound& bound : study.bounds) bound.bound.why = "no analysis: " + why;
  return study;
}

/// Tables for --bounds: for each run of a study, the bounds of its tasks' response times beside the simulated ones.
struct SweepBounds {
  /// Runs the jobs of each workload alone. The results of the study's own runs are found among the kept results.
  SweepBounds(const Study& study, const JobOptions& options)
      : all(study, false), shown(study, "Bounds of response times (docs/bounds.md), in us:", {"task"},
                                 {"alone", "bound", "simulated", "deadline"}, true, 2) {
    shown.add_words("analysis");
    for (const StudyPoint& point : study.points()) {
      const GpuConfig config = study.config(point);
      const Workload& workload = study.workload(point);
      const std::string why = no_analysis(config, workload);
      const BoundStudy bounds =
          why.empty() ? study_bounds(config, {workload}, 1, options) : without_bounds(workload, why);
      const Clock clock = Clock::from_mhz(config.core_mhz);
      const auto us = [&](std::optional<Cycle> cycles) {
        return cycles ? Cell(static_cast<double>(*cycles) / config.core_mhz) : Cell("-");
      };
      for (std::size_t t = 0; t < workload.tasks.size(); ++t) {
        const TaskSpec& task = workload.tasks[t];
        const BoundRow row{
            task, workload, bounds.bounds[t], bounds.simulated[t], Response::deadline_cycles(task.deadline, clock),
            clock};
        all.add("", point, row);
        shown.begin(point);
        shown.add({task.name, us(bounds.bounds[t].alone), us(bounds.bounds[t].bound.cycles),
                   us(bounds.runs > 0 ? std::optional(bounds.simulated[t].worst) : std::nullopt), us(row.deadline),
                   row.verdict()});
      }
    }
  }

  StudyTable<BoundRow> all;  ///< one line per run and task: the run, and the columns of `gputlm bound --csv`
  ViewOfPoints shown;        ///< the same for a reader, in microseconds
};

GPUTLM_REGISTER { add_study_table<BoundRow>("bounds.csv", "Bounds of the tasks of a run (--bounds)", false); }

constexpr const char* kLaunches = "launches.csv";
constexpr const char* kApplications = "applications.csv";
constexpr const char* kResponses = "responses.csv";
constexpr const char* kSummary = "summary.csv";
constexpr const char* kBaseline = "baseline.csv";
constexpr const char* kBounds = "bounds.csv";
constexpr const char* kDatabase = "results.sqlite";

/// A format in which tables are printed.
struct Format {
  const char* name;
  std::string (Table::*table)() const;
  std::string (*remark)(const std::string& text);  ///< formats a sentence beside a table
};
constexpr Format kFormats[] = {
    {"text", &Table::text, [](const std::string& text) { return text; }},
    {"markdown", &Table::markdown, [](const std::string& text) { return text + "\n"; }},
    {"latex", &Table::latex, [](const std::string& text) { return "% " + text; }},
    {"csv", &Table::csv, [](const std::string& text) { return "# " + text; }},
};

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const Format& format : kFormats) names.emplace_back(format.name);
  return names;
}

void print_views(const Study& study, const std::vector<StudyView>& views, const std::string& format_name) {
  const Format& format = *std::find_if(std::begin(kFormats), std::end(kFormats),
                                       [&](const Format& one) { return one.name == format_name; });
  const auto remark = [&](const std::string& text) { return text.empty() ? "" : format.remark(text) + "\n"; };
  std::string text = study.description().empty() ? "" : remark(study.description()) + "\n";
  for (const StudyView& view : views)
    text +=
        (&view == &views.front() ? "" : "\n") + remark(view.title) + (view.table.*format.table)() + remark(view.note);
  print(text);
}

/// Opens the files of the results, before the runs, so that no result is lost.
void open_results(OutputFolder& folder, const Baseline& baseline, bool bounds = false) {
  if (bounds) folder.file(kBounds);
  for (const char* name : {kLaunches, kApplications, kResponses, kSummary, kDatabase}) folder.file(name);
  if (!baseline.empty()) folder.file(kBaseline);
}

void report(const Study& study, const StudyRuns& runs, const Baseline& baseline, const std::string& format,
            OutputFolder* folder, const SweepBounds* bounds = nullptr) {
  const std::vector<StudyOutcome> outcomes = runs.outcomes();
  const std::vector<StudySummary> summaries = study_summaries(study, outcomes);
  std::vector<BaselineComparison> comparisons;
  if (!baseline.empty()) comparisons = compare_with(study, baseline, summaries);
  if (folder) {
    folder->file(kLaunches).write(launches_csv(study, outcomes));
    folder->file(kApplications).write(applications_csv(study, outcomes));
    folder->file(kResponses).write(responses_csv(study, outcomes));
    folder->file(kSummary).write(summary_csv(study, summaries));
    folder->file(kDatabase).write(results_database(study, outcomes, summaries));
    if (!baseline.empty()) folder->file(kBaseline).write(baseline_csv(study, comparisons));
    if (bounds) folder->file(kBounds).write(bounds->all.csv());
    folder->commit();
  }
  release_interrupts();
  std::vector<StudyView> views = study_views(study, outcomes, summaries);
  if (!baseline.empty()) views.push_back(baseline_view(study, baseline, comparisons));
  if (bounds) views.push_back(bounds->shown.view());
  print_views(study, views, format);
}

/// The runs of a study, for tasks of Slurm.
class PlannedStudy final : public PlannedRuns {
 public:
  PlannedStudy(const std::string& file, bool quick, const RunStore& store)
      : study_(Study::load(file, quick)),
        runs_(study_, std::numeric_limits<Bytes>::max()) {  // the nodes' memory is the limit
    JobOptions options;
    options.store = &store;
    options.proceed = [] { return !interrupted(); };
    runs_.prepare(options);
  }
  std::size_t size() const override { return runs_.size(); }
  Job job(std::size_t place) const override { return runs_.job(place); }
  std::string text(std::size_t place) const override { return run_text(study_, runs_.key(place)); }
  const Study& study() const { return study_; }
  StudyRuns& runs() { return runs_; }

 private:
  Study study_;
  StudyRuns runs_;
};

class SweepCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override;
  int execute() override;

 private:
  int here();
  int on_slurm();
  int status() const;

  std::string file_, out_, format_ = kFormats[0].name;
  std::vector<std::string> baseline_;
  ManyRuns runs_;
  SlurmRuns slurm_;
  bool bounds_ = false, quick_ = false;
  std::string resume_, status_;
};

void SweepCommand::declare(Arguments& arguments) {
  arguments.optional("file", file_, "What to run (YAML; docs/sweep.md)", Values::file());
  arguments.text("--out", out_,
                 "Folder for applications.csv, launches.csv, responses.csv, summary.csv, results.sqlite and, with "
                 "--baseline, baseline.csv",
                 Values::folder());
  arguments.texts(
      "--baseline", baseline_,
      "Baseline of comparisons, seed by seed; may be repeated: sm.warp_scheduler=lrr, workload=w.yaml#alone",
      {"COLUMN=VALUE"});
  arguments.text("--format", format_, "Format of the printed tables", Values::one_of("FORMAT", format_names()));
  arguments.flag("--bounds", bounds_,
                 "Also bound the response times of each run's tasks (docs/bounds.md), in bounds.csv");
  arguments.flag("--quick", quick_, "The smaller form that the file has under `quick`");
  runs_.declare(arguments);
  slurm_.declare(arguments);
  arguments.text("--resume", resume_, "Resume a sweep on Slurm, by its folder: wait, and submit missing runs",
                 Values::folder());
  arguments.text("--status", status_, "Report the progress of a sweep on Slurm, by its folder", Values::folder());
  arguments.example("sweep workloads/kernel_orders_sweep.yaml --out out", "all its runs, several at a time");
  arguments.example("sweep study.yaml --baseline sm.warp_scheduler=lrr --format latex",
                    "ratios with their intervals, as tables for a paper");
  arguments.example("sweep workloads/bounds/task_sets_sweep.yaml --bounds --out sets",
                    "twenty random task sets, with a response-time analysis of each");
  arguments.example("sweep study.yaml --out /shared/out --slurm --slurm-time 60", "by tasks of a cluster");
  arguments.example("sweep --status /shared/out", "their progress");
}

int SweepCommand::execute() {
  if (slurm_.is_task()) {
    return slurm_.work([this](const RunStore& store) { return std::make_unique<PlannedStudy>(file_, quick_, store); });
  }
  const int asked = !file_.empty() + !resume_.empty() + !status_.empty();
  if (asked != 1) {
    throw InputError(fmt::format("found {}, allowed: one of a file, --resume FOLDER and --status FOLDER",
                                 asked == 0 ? "nothing to run" : "several things to do"));
  }
  if (!status_.empty()) return status();
  if (slurm_.asked() || !resume_.empty()) return on_slurm();
  slurm_.refuse();
  return here();
}

int SweepCommand::here() {
  const Study study = Study::load(file_, quick_);
  const Baseline baseline = parse_baseline(study, baseline_, "--baseline");
  StudyRuns runs(study, runs_.memory_limit());
  runs_.begin();
  std::optional<OutputFolder> folder;
  if (!out_.empty()) open_results(folder.emplace(out_), baseline, bounds_);
  JobOptions jobs;
  runs_.set(jobs);
  runs.run(jobs);
  std::optional<SweepBounds> bounds;
  if (bounds_) bounds.emplace(study, jobs);
  const std::string kept = runs_.end();
  report(study, runs, baseline, format_, folder ? &*folder : nullptr, bounds ? &*bounds : nullptr);
  print_error(kept);
  return kDone;
}

int SweepCommand::on_slurm() {
  if (bounds_) throw InputError("--bounds has no effect on tasks of Slurm");
  if (const std::string option = runs_.given(); !option.empty()) {
    throw InputError(option + " has no effect on tasks of Slurm (--slurm-cpus, --slurm-memory)");
  }
  CampaignRecord record;
  if (!resume_.empty()) {
    record = Campaign::open(resume_).record();
    for (const std::string& plugin : record.plugins) load_extension(plugin);
    file_ = record.study;
    quick_ = std::count(record.command.begin(), record.command.end(), "--quick") > 0;
    out_ = resume_;
  }
  if (out_.empty()) throw InputError("--slurm needs --out, a folder that all nodes see");
  const RunStore store(out_ + "/runs");
  PlannedStudy planned(file_, quick_, store);
  const Study& study = planned.study();
  const Baseline baseline = parse_baseline(study, baseline_, "--baseline");
  if (resume_.empty()) record.slurm = study.slurm();
  slurm_.set(record.slurm);
  std::vector<CampaignRun> runs = campaign_runs(planned, file_);
  const auto same = [](const CampaignRun& a, const CampaignRun& b) { return a.id == b.id; };
  if (!resume_.empty() && !std::equal(runs.begin(), runs.end(), record.runs.begin(), record.runs.end(), same)) {
    throw InputError(resume_, 0,
                     "was begun with another program or other inputs; the original command reuses what is still valid");
  }
  record.runs = std::move(runs);
  record.study = std::filesystem::absolute(file_).lexically_normal().string();

  slurm_.begin();
  OutputFolder folder(out_);
  open_results(folder, baseline);
  const std::string again = "gputlm sweep --resume " + std::filesystem::absolute(out_).lexically_normal().string();
  const std::optional<Campaign> campaign = slurm_.carry_out(std::move(record), planned, out_, again);
  if (!campaign) return slurm_.exit_code();
  JobOptions collect;
  collect.store = &campaign->store();
  collect.proceed = [] { return !interrupted(); };
  planned.runs().run(collect);
  report(study, planned.runs(), baseline, format_, &folder);
  return kDone;
}

int SweepCommand::status() const {
  const Campaign campaign = Campaign::open(status_);
  std::vector<std::string> names;
  for (std::size_t n = 1; n <= campaign.record().submissions.size(); ++n) names.push_back(campaign.array_name(n));
  std::vector<SlurmTask> tasks;
  try {
    tasks = Slurm().tasks(names);
  } catch (const InputError& error) {
    print_error(fmt::format("gputlm: Slurm does not say which tasks are running: {}", error.what()));
  }
  print(status_text(campaign, tasks));
  return kDone;
}

GPUTLM_REGISTER { add_command<SweepCommand>("sweep", "Run GPUs x settings x workloads x seeds", CommandGroup::kRun); }

}  // namespace

}  // namespace gputlm
