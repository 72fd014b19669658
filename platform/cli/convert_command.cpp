#include <filesystem>

#include "platform/cli/commands.h"
#include "platform/cli/input_arguments.h"
#include "platform/files/atomic_file.h"
#include "platform/files/terminal.h"
#include "platform/input/workload_writer.h"

namespace gputlm {
namespace {

class ConvertCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override {
    input_.declare(arguments);
    arguments.text("-o,--output", out_, "Workload file to write", Values::output());
    arguments.example("convert timeline.sqlite -o workload.yaml", "a capture of Nsight Systems, to edit");
    arguments.example("convert null_stream.json -o workload.yaml", "a configuration of cuda_scheduling_examiner");
    arguments.example("convert workloads/service.yaml --seed 7",
                      "a workload with its random times and repetitions written out");
  }

  int execute() override {
    const LoadedInput loaded = input_.load();
    const std::string folder =
        is_standard_output(out_) ? std::string() : std::filesystem::absolute(out_).parent_path().string();
    write_file(out_, workload_yaml(loaded.input.workload, folder));
    return 0;
  }

 private:
  InputArguments input_;
  std::string out_ = "-";
};

GPUTLM_REGISTER { add_command<ConvertCommand>("convert", "Write any input as a workload file", CommandGroup::kRun); }

}  // namespace
}  // namespace gputlm
