#include <fmt/format.h>

#include "platform/cli/commands.h"
#include "platform/cli/exit_codes.h"
#include "platform/cli/many_runs.h"
#include "platform/files/atomic_file.h"
#include "platform/files/terminal.h"
#include "platform/input/durations_file.h"
#include "platform/input/parameters.h"
#include "platform/input/preset.h"
#include "platform/input/run_input.h"
#include "platform/lab/calibration.h"
#include "platform/run/check_fits.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

class CalibrateCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override;
  int execute() override;

 private:
  std::vector<std::string> inputs_;
  std::string gpu_ = kDefaultGpu;
  std::vector<std::string> settings_;  ///< key=value
  std::uint64_t seed_ = 1;
  std::string out_;
  ManyRuns runs_;
};

void CalibrateCommand::declare(Arguments& arguments) {
  arguments.positional("input", inputs_, "Workload files or traces, as `gputlm run` takes them", Values::file());
  arguments.text("--gpu", gpu_, "Preset (gputlm list gpus) or GPU file", Values::names_or_files("GPU", {"gpus"}));
  arguments.texts("--set", settings_, "key=value, may be repeated (gputlm list parameters)", Values::settings());
  arguments.seed(seed_, "Seed of all randomness");
  arguments.text("-o,--output", out_, "File for the durations, for sm.durations", Values::file());
  runs_.declare(arguments);
  arguments.example("calibrate workloads/mixed.yaml --gpu gtx480 -o d.yaml",
                    "how long blocks take, by what else is on their SM");
  arguments.example("run workloads/mixed.yaml --gpu gtx480 --set sm.model=blocks --set sm.durations=d.yaml",
                    "the same workload on SMs that run blocks");
}

int CalibrateCommand::execute() {
  if (out_.empty()) throw InputError("--output", 0, "found none, allowed: a file");
  Origins origins;
  GpuConfig config = load_gpu(gpu_, &origins);
  for (const std::string& setting : settings_) set_assignment(config, setting, &origins);
  GpuConfig asked_for = config;
  const RunInput input = load_run_input(inputs_, {seed_, {}, &asked_for});
  for (const std::string& setting : input.settings) set_assignment(config, setting, &origins);
  for (const std::string& setting : settings_) set_assignment(config, setting, &origins);
  validate(config, {gpu_, 0}, origins);
  check_fits(config, input.workload);
  AtomicFile file(out_);  // opened before the runs, so that their results are not lost
  runs_.begin();
  runs_.name("calibrate");
  Calibration calibration(config);
  calibration.add(input.workload);
  DurationTable table = calibration.measure(runs_.options());
  table.seed = seed_;
  const std::string made = runs_.end();
  file.write(fmt::format("# Durations of blocks on {}, measured by gputlm calibrate: docs/blocks.md.\n", config.name));
  file.write(to_text(table));
  file.commit();
  print(fmt::format("{}: {} kernels, {} pairs\n", out_, table.kernels.size(), table.pairs.size()));
  print_error(made);
  return kDone;
}

GPUTLM_REGISTER { add_command<CalibrateCommand>("calibrate", "Measure durations of blocks, for sm.model=blocks", 25); }

}  // namespace

}  // namespace gputlm
