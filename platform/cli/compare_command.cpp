#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platform/cli/commands.h"
#include "platform/files/json_text.h"
#include "platform/files/output_folder.h"
#include "platform/files/terminal.h"
#include "platform/input/foreign_formats.h"
#include "platform/lab/chart.h"
#include "platform/programs/comparison.h"
#include "platform/programs/observation.h"

namespace gputlm {
namespace {

constexpr const char* kComparisonJson = "comparison.json";
constexpr const char* kComparisonCsv = "comparison.csv";
constexpr const char* kComparedBlocksCsv = "comparison_blocks.csv";

class CompareCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override;
  int execute() override;

 private:
  std::string run_, out_;
  std::vector<std::string> measured_;
  MeasurementOptions options_;
  bool json_ = false;
};

void CompareCommand::declare(Arguments& arguments) {
  arguments.positional("result", run_, "Folder of a run (gputlm run --out)", Values::folder());
  arguments.positional("measured", measured_,
                       "A capture (of Nsight Systems or PyTorch's profiler), results of cuda_scheduling_examiner "
                       "(their folder, or files), times or placements (CSV), or another run's folder",
                       Values::file());
  arguments.number("--device", options_.device, "For a capture: the device (default: the one with the most kernels)");
  arguments.text("--config", options_.configuration, "For block placements: the configuration", Values{"NAME"});
  arguments.text("--out", out_, "Folder for comparison.json, .csv and .svg, comparison_blocks.csv, and correlation.svg",
                 Values::folder());
  arguments.flag("--json", json_, "Print comparison.json instead of a table");
  arguments.example("compare replay timeline.sqlite", "a replayed timeline with the capture of Nsight Systems");
  arguments.example("compare run measured.csv --out compared",
                    "with times of kernels: columns kernel, and cycles or ns");
  arguments.example("compare run results", "with result files of cuda_scheduling_examiner, whose rules are checked");
  arguments.example("compare fifo srtf --out compared", "two runs; table, JSON and a chart into a folder");
}

int CompareCommand::execute() {
  for (const std::string& path : measured_) refuse_foreign(path);
  const Observation model = observe_run(run_), measured = observe(measured_, options_, model);
  const Comparison comparison = compare(model, measured);
  const std::string json = json_text(comparison_json(comparison, model, measured));
  if (!out_.empty()) {
    OutputFolder folder(out_);
    folder.file(kComparisonJson).write(json);
    folder.file(kComparisonCsv).write(comparison_csv(comparison));
    if (!comparison.blocks.empty()) folder.file(kComparedBlocksCsv).write(compared_blocks_csv(comparison));
    folder.commit();
    if (!comparison.durations) write_chart(out_ + "/comparison.svg", comparison_chart(comparison));
    write_chart(out_ + "/correlation.svg", correlation_chart(comparison));
  }
  print(json_ ? json : comparison_text(comparison) + broken_rules_text(measured.broken_rules));
  for (const Observation* observation : {&model, &measured}) {
    for (const std::string& warning : observation->warnings) print_error("warning: " + warning);
  }
  return kDone;
}

GPUTLM_REGISTER { add_command<CompareCommand>("compare", "Compare a run with a measurement", CommandGroup::kResults); }

}  // namespace
}  // namespace gputlm
