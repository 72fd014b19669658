#include <fmt/core.h>

#include <cstdio>

#include "platform/cli/many_runs.h"
#include "platform/cli/subcommand.h"
#include "platform/files/atomic_file.h"
#include "platform/lab/study_results.h"

namespace gputlm {
namespace {

class SweepCommand final : public Subcommand {
 public:
  std::string name() const override { return "sweep"; }
  std::string description() const override { return "Run GPUs x settings x workloads x seeds"; }
  void declare(Arguments& arguments) override;
  int execute() override;

 private:
  std::string file_, out_;
  ManyRuns runs_;
};

void SweepCommand::declare(Arguments& arguments) {
  arguments.positional("file", file_, "What to run (YAML; docs/sweep.md)");
  arguments.text("--out", out_, "Folder for applications.csv and launches.csv");
  runs_.declare(arguments);
}

int SweepCommand::execute() {
  const Study study = Study::load(file_);
  StudyRuns runs(study);
  if (!out_.empty()) make_output_folder(out_);
  runs_.begin();
  runs.run(runs_.options());
  const std::string kept = runs_.end();
  const std::vector<StudyOutcome> outcomes = runs.outcomes();
  if (!out_.empty()) {
    write_file(out_ + "/launches.csv", launches_csv(study, outcomes));
    write_file(out_ + "/applications.csv", applications_csv(study, outcomes));
  }
  if (!study.description().empty()) fmt::print("{}\n\n", study.description());
  fmt::print("{}", study_table(study, outcomes));
  std::fflush(stdout);
  fmt::print(stderr, "{}\n", kept);
  return 0;
}

}  // namespace

std::unique_ptr<Subcommand> make_sweep_command() { return std::make_unique<SweepCommand>(); }

}  // namespace gputlm
