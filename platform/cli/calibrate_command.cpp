#include <fmt/format.h>

#include <limits>

#include "platform/cli/commands.h"
#include "platform/cli/input_arguments.h"
#include "platform/cli/many_runs.h"
#include "platform/files/atomic_file.h"
#include "platform/files/terminal.h"
#include "platform/input/durations_file.h"
#include "platform/lab/calibration.h"
#include "platform/run/check_fits.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

class CalibrateCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override;
  int execute() override;

 private:
  InputArguments input_;
  std::string out_;
  std::uint64_t cut_above_ = Calibration::kCutAbove;
  ManyRuns runs_;
};

void CalibrateCommand::declare(Arguments& arguments) {
  input_.declare(arguments);
  arguments.text("-o,--output", out_, "File for the durations, for sm.durations", Values::output());
  arguments.number("--cut-above", cut_above_,
                   "Cost of a measurement, in warp instructions, above which its kernel's loops are shortened and the "
                   "time of a block is extrapolated (default: 10^9)",
                   std::numeric_limits<std::uint64_t>::max());
  runs_.declare(arguments);
  arguments.example("calibrate workloads/mixed.yaml --gpu gtx480 -o d.yaml",
                    "durations of blocks, by what else is on their SM");
  arguments.example("run workloads/mixed.yaml --gpu gtx480 --set sm.model=blocks --set sm.durations=d.yaml",
                    "the same workload on SMs that run blocks");
}

int CalibrateCommand::execute() {
  if (out_.empty()) throw InputError("--output", 0, "found none, allowed: a file");
  const LoadedInput loaded = input_.load();
  const auto& [input, config, origins] = loaded;
  check_fits(config, input.workload);
  AtomicFile file(out_);  // opened before the runs, so that no result is lost
  runs_.begin();
  runs_.name("calibrate");
  CalibrationOfRuns calibration(cut_above_);
  const std::size_t run = calibration.add(config, input.workload);
  JobOptions jobs;
  runs_.set(jobs);
  calibration.measure(jobs);
  DurationTable table = *calibration.table(run);
  table.seed = input_.seed();
  const std::string made = runs_.end();
  file.write(fmt::format("# Durations of blocks on {}, measured by gputlm calibrate: docs/blocks.md.\n", config.name));
  file.write(to_text(table));
  file.commit();
  print(fmt::format("{}: {} kernels, {} pairs\n", out_, table.all_kernels(), table.all_pairs()));
  print_error(made);
  return kDone;
}

GPUTLM_REGISTER {
  add_command<CalibrateCommand>("calibrate", "Measure durations of blocks, for sm.model=blocks", CommandGroup::kRun);
}

}  // namespace

}  // namespace gputlm
