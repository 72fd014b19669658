#include <fmt/format.h>

#include <optional>

#include "platform/cli/commands.h"
#include "platform/cli/many_runs.h"
#include "platform/experiments/silicon/agreement.h"
#include "platform/files/atomic_file.h"
#include "platform/files/json_text.h"
#include "platform/files/output_folder.h"
#include "platform/files/terminal.h"
#include "platform/lab/experiment.h"

namespace gputlm {
namespace {

/// Highlights the verdicts at the ends of lines.
std::string in_tones(std::string text) {
  for (const auto& [verdict, tone] : {std::pair{"ok", Tone::kGood}, {"NEW", Tone::kBad}}) {
    const std::string end = std::string("  ") + verdict + "\n", toned_end = "  " + toned(verdict, tone) + "\n";
    for (std::size_t at = 0; (at = text.find(end, at)) != std::string::npos; at += toned_end.size())
      text.replace(at, end.size(), toned_end);
  }
  return text;
}

class ReproduceCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override;
  int execute() override;

 private:
  std::vector<std::string> names_;
  ExperimentOptions options_;
  ManyRuns runs_;
  std::string out_;  ///< folder for tables and charts; empty: none
  bool json_ = false, markdown_ = false;
};

void ReproduceCommand::declare(Arguments& arguments) {
  arguments.positional("experiments", names_,
                       "Names of experiments, or a paper's name for all of its experiments (gputlm list experiments)",
                       Values::names("NAME", {"experiments"}));
  arguments.seed(options_.seed, "Seed of all randomness");
  arguments.texts("--set", options_.settings,
                  "key=value for the GPU of every run, overriding the experiment; may be repeated", Values::settings());
  arguments.text("--out", out_, "Folder for the experiment's tables as CSV and its charts as SVG", Values::folder());
  runs_.declare(arguments);
  arguments.number("--window", options_.execution.window,
                   "Look-ahead of the runs in core cycles; a unit computes one or two of them at a time; does not "
                   "change results (default: the shortest hop)");
  arguments.number("--threads", options_.execution.threads,
                   "Number of threads of each run; does not change results (default: 1, or with fewer runs than "
                   "processors the processors per run)",
                   256);
  arguments.flag("--quick", options_.quick, "Run the smaller form of experiments that have one");
  arguments.flag("--json", json_, "Print JSON");
  arguments.flag("--markdown", markdown_, "Print the figures in the form of docs/experiments/PAPER.md");
  arguments.example("reproduce most-room qaws/figure3", "all experiments of one paper, and one of another");
  arguments.example("reproduce srtf/workloads --set sm.model=blocks", "on SMs that run blocks, not warps");
  arguments.example("reproduce srtf --quick --out figures", "smaller forms; charts and data into a folder");
}

int ReproduceCommand::execute() {
  std::vector<const Experiment*> chosen;
  for (const std::string& name : names_) {
    for (const Experiment* experiment : find_experiments(name)) chosen.push_back(experiment);
  }
  runs_.begin();
  std::optional<OutputFolder>
      folder;  // experiments open their files after they have run; this only checks that they can
  if (!out_.empty()) folder.emplace(out_);
  runs_.set(options_);
  std::size_t agree = 0, known = 0, fresh = 0;
  Agreement agreement;
  auto json = nlohmann::ordered_json::array();
  std::string made;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const Experiment* const experiment = chosen[i];
    std::string name = experiment->name;
    if (chosen.size() > 1) name += fmt::format(" ({} of {})", i + 1, chosen.size());
    runs_.name(name);
    const ExperimentReport report = [&] {
      try {
        return experiment->run(options_);
      } catch (const Interrupted& interruption) {
        throw Interrupted(name + ": " + interruption.what());
      }
    }();
    made = runs_.end();
    if (!out_.empty()) write_files(out_, *experiment, report);
    const Judgement judgement = judge(report.figures, known_misses().of(experiment->name), options_.quick);
    agreement.add(experiment->name, report.figures);
    agree += judgement.count(Verdict::kAgrees);
    known += judgement.count(Verdict::kKnownMiss);
    fresh += judgement.count(Verdict::kNewMiss);
    if (json_) {
      json.push_back(to_json(*experiment, report, judgement));
    } else if (markdown_) {
      print(to_markdown(*experiment, report, judgement));
    } else {
      print(in_tones(to_text(*experiment, report, judgement)) + "\n");
    }
  }
  if (json_) {
    print(json_text(json));
  } else if (chosen.size() > 1 && !markdown_) {
    print(fmt::format("{} experiments, {}\n", chosen.size(), counts_text(agree, known, fresh)));
  }
  if (chosen.size() > 1 && !agreement.empty()) {
    const Table sets = agreement.sets();
    if (markdown_) {
      print("<!-- agreement -->\n" + sets.markdown() + "<!-- end of agreement -->\n");
    } else if (!json_) {
      print("\nModel over what was measured on GPUs, or its inverse:\n" + sets.text());
    }
    if (!out_.empty()) {
      write_file(out_ + "/agreement.csv", sets.csv());
      write_file(out_ + "/agreement-figures.csv", agreement.rows().csv());
    }
  }
  print_error(made);
  return fresh == 0 ? kDone : kDisagrees;
}

GPUTLM_REGISTER {
  add_command<ReproduceCommand>("reproduce", "Run experiments of the papers and compare", CommandGroup::kRun);
}

}  // namespace

}  // namespace gputlm
