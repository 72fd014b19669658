#include <filesystem>

#include "platform/cli/commands.h"
#include "platform/files/atomic_file.h"
#include "platform/files/terminal.h"
#include "platform/report/report_file.h"

namespace gputlm {
namespace {

class ReportCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override;
  int execute() override;

 private:
  std::vector<std::string> results_;
  std::string out_ = "report.html";
  std::size_t boxes_ = 2'000'000;  ///< maximum number of boxes; each takes about ten bytes of the file
  bool force_ = false;
};

void ReportCommand::declare(Arguments& arguments) {
  arguments.positional("results", results_,
                       "Folders that `gputlm run`, `share` or `sweep` wrote with --out, or result.json; JSON files of "
                       "`gputlm check` and `gputlm cost`",
                       Values::file());
  arguments.text("-o,--out", out_, "The HTML file", Values::output());
  arguments.number(
      "--boxes", boxes_,
      "Maximum blocks that the page draws one by one; beyond it, neighbours share a box (default: 2000000)",
      100'000'000);
  arguments.flag("--force", force_, "Also replace a file that is not a report");
  arguments.example("report results -o report.html", "a page of one result, for a browser");
  arguments.example("report fifo srtf -o orders.html", "two results side by side, with their differences");
  arguments.example("report study -o study.html", "the results of a sweep: charts with the intervals over its seeds");
  arguments.example("report check.json cost.json alone both -o verdict.html",
                    "your own arbiter's checks, energy and effect on runs, on one page");
}

int ReportCommand::execute() {
  if (!force_ && !is_standard_output(out_)) check_is_report(out_);
  AtomicFile file(out_);  // opened before the results are read, which may take long
  file.write(report_page(results_, boxes_));
  file.commit();
  if (!is_standard_output(out_)) print(std::filesystem::absolute(out_).lexically_normal().string() + "\n");
  return kDone;
}

GPUTLM_REGISTER {
  add_command<ReportCommand>("report", "Make one HTML page of the results of runs, and of designs in SystemVerilog",
                             CommandGroup::kResults);
}

}  // namespace
}  // namespace gputlm
