#include "platform/cli/catalogue.h"
#include "platform/cli/commands.h"
#include "platform/files/terminal.h"

namespace gputlm {
namespace {

class ExplainCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override {
    arguments.positional("name", name_,
                         "A parameter, policy, GPU, counter, probe, experiment, workload, exit code, file, column of a "
                         "file, command, ...",
                         Values::names("NAME", catalogues().names()));
    arguments.example("explain sm.warp_scheduler", "a parameter: its range, and its value and source in every GPU");
    arguments.example("explain gto", "a policy: its source, options and counters");
    arguments.example("explain 130", "an exit code");
  }
  int execute() override {
    print(explanation(name_));
    return 0;
  }

 private:
  std::string name_;
};

GPUTLM_REGISTER { add_command<ExplainCommand>("explain", "Tell what a name means", CommandGroup::kAsk); }

}  // namespace
}  // namespace gputlm
