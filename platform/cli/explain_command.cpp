#include <fmt/core.h>

#include "platform/cli/catalogue.h"
#include "platform/cli/commands.h"
#include "platform/files/terminal.h"
#include "testbench/check/ports.h"
#include "testbench/kind/kind.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

class ExplainCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override {
    arguments.optional("name", name_,
                       "A parameter, policy, GPU, counter, probe, experiment, workload, exit code, file, column of a "
                       "file, command, ...",
                       Values::names("NAME", catalogues().names()));
    const Values kind_names = Values::one_of("KIND", kinds().names());
    arguments.text("--ports", ports_,
                   "For a hardware design of this kind: parameters, ports, protocol, a waveform (docs/ports.md)",
                   kind_names);
    arguments.text("--skeleton", skeleton_, "Print a C++ policy for a design of this kind as a starting point",
                   kind_names);
    arguments.example("explain sm.warp_scheduler", "a parameter: its range, and its value and source in every GPU");
    arguments.example("explain gto", "a policy: its source, options and counters");
    arguments.example("explain 130", "an exit code");
    arguments.example("explain --ports arbiter", "the interface of a memory arbiter in SystemVerilog");
  }
  int execute() override {
    const auto given = !name_.empty() + !ports_.empty() + !skeleton_.empty();
    if (given != 1)
      throw InputError(fmt::format("explain: found {} of NAME, --ports and --skeleton, allowed: one", given));
    print(!ports_.empty() ? ports_text(ports_) : !skeleton_.empty() ? skeleton_text(skeleton_) : explanation(name_));
    return kDone;
  }

 private:
  std::string name_, ports_, skeleton_;  ///< exactly one of them
};

GPUTLM_REGISTER { add_command<ExplainCommand>("explain", "Explain a name", CommandGroup::kAsk); }

}  // namespace
}  // namespace gputlm
