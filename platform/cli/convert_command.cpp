#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "platform/cli/commands.h"
#include "platform/cli/input_arguments.h"
#include "platform/cli/many_runs.h"
#include "platform/files/atomic_file.h"
#include "platform/files/table.h"
#include "platform/files/terminal.h"
#include "platform/input/workload_writer.h"
#include "platform/lab/demand_fit.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

class ConvertCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override {
    input_.declare(arguments);
    arguments.text("-o,--output", out_, "Workload file to write", Values::output());
    arguments.text("--demand", demand_,
                   "warps: kernels with a demand get warps that produce it, and that take the measured time alone",
                   Values::one_of("WHAT", {"keep", "warps"}));
    runs_.declare(arguments);
    arguments.example("convert timeline.sqlite -o workload.yaml", "a capture of Nsight Systems, to edit");
    arguments.example("convert null_stream.json -o workload.yaml", "a configuration of cuda_scheduling_examiner");
    arguments.example("convert decode.sqlite --profile decode.csv --gpu a100 --demand warps -o decode.yaml",
                      "a captured program whose kernels have warps");
    arguments.example("convert workloads/service.yaml --seed 7",
                      "a workload with its random times and repetitions written out");
  }

  int execute() override {
    if (demand_ != "keep" && demand_ != "warps")
      throw InputError(fmt::format("--demand: found '{}', allowed: keep, warps", demand_));
    LoadedInput loaded = input_.load();
    const std::string folder =
        is_standard_output(out_) ? std::string() : std::filesystem::absolute(out_).parent_path().string();
    if (demand_ != "warps") {
      write_file(out_, workload_yaml(loaded.input.workload, folder));
      return kDone;
    }
    std::optional<AtomicFile> file;  // opened before the runs, so that no result is lost
    if (!is_standard_output(out_)) file.emplace(out_);
    runs_.begin();
    runs_.name("demand");
    JobOptions options;
    runs_.set(options);
    const FittedDemands demands = fit_demands(loaded.input.workload, loaded.config, options);
    const std::string made = runs_.end();
    const std::string text = workload_yaml(loaded.input.workload, folder);
    if (file) {
      file->write(text);
      file->commit();
    } else {
      print(text);
    }
    print_error(fitted(demands) + made);
    return kDone;
  }

 private:
  static std::string fitted(const FittedDemands& demands) {
    Table table({{"kernel"},
                 {"asked_us", "us", "", "asked", 2},
                 {"us", "us", "", "has", 2},
                 {"missed", "", "", "by more than 5 %"}});
    for (const FittedKernel& kernel : demands.kernels)
      table.add({kernel.name, *kernel.asked.duration_us, *kernel.has.duration_us,
                 fmt::format("{}", fmt::join(kernel.missed(), "; "))});
    if (demands.kept.empty()) return table.text();
    return fmt::format("{}kept, since their programs define what warps do: {}\n", table.text(),
                       fmt::join(demands.kept, ", "));
  }

  InputArguments input_;
  std::string out_ = "-", demand_ = "keep";
  ManyRuns runs_;
};

GPUTLM_REGISTER { add_command<ConvertCommand>("convert", "Write any input as a workload file", CommandGroup::kRun); }

}  // namespace
}  // namespace gputlm
