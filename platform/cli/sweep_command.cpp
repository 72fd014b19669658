#include <optional>

#include "platform/cli/commands.h"
#include "platform/cli/many_runs.h"
#include "platform/files/output_folder.h"
#include "platform/files/terminal.h"
#include "platform/lab/results_database.h"
#include "platform/lab/study_tables.h"

namespace gputlm {
namespace {

constexpr const char* kLaunches = "launches.csv";
constexpr const char* kApplications = "applications.csv";
constexpr const char* kSummary = "summary.csv";
constexpr const char* kDatabase = "results.sqlite";

class SweepCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override;
  int execute() override;

 private:
  std::string file_, out_;
  ManyRuns runs_;
};

void SweepCommand::declare(Arguments& arguments) {
  arguments.positional("file", file_, "What to run (YAML; docs/sweep.md)", Values::file());
  arguments.text("--out", out_, "Folder for applications.csv, launches.csv, summary.csv and results.sqlite",
                 Values::folder());
  runs_.declare(arguments);
  arguments.example("sweep workloads/kernel_orders_sweep.yaml --out out", "all its runs, several at a time");
}

int SweepCommand::execute() {
  const Study study = Study::load(file_);
  StudyRuns runs(study, runs_.memory_limit());
  runs_.begin();
  std::optional<OutputFolder> folder;
  if (!out_.empty()) {
    folder.emplace(out_);
    for (const char* name : {kLaunches, kApplications, kSummary, kDatabase})
      folder->file(name);  // before the runs, so that they are not in vain
  }
  runs.run(runs_.options());
  const std::string kept = runs_.end();
  const std::vector<StudyOutcome> outcomes = runs.outcomes();
  const std::vector<StudySummary> summaries = study_summaries(study, outcomes);
  if (folder) {
    folder->file(kLaunches).write(launches_csv(study, outcomes));
    folder->file(kApplications).write(applications_csv(study, outcomes));
    folder->file(kSummary).write(summary_csv(study, summaries));
    folder->file(kDatabase).write(results_database(study, outcomes, summaries));
    folder->commit();
  }
  release_interrupts();
  if (!study.description().empty()) print(study.description() + "\n\n");
  print(study_table(study, outcomes));
  if (const std::string means = summary_table(study, summaries); !means.empty()) print("\n" + means);
  print_error(kept);
  return 0;
}

GPUTLM_REGISTER { add_command<SweepCommand>("sweep", "Run GPUs x settings x workloads x seeds", 40); }

}  // namespace

}  // namespace gputlm
