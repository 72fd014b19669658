#include <fmt/core.h>

#include "platform/cli/commands.h"
#include "platform/cli/list.h"
#include "platform/files/terminal.h"
#include "platform/input/dram_preset.h"
#include "platform/input/preset.h"
#include "platform/lab/experiment.h"
#include "platform/probes/probe.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

class ListCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override;
  int execute() override;

 private:
  std::string text() const;

  std::string what_, name_, gpu_ = kDefaultGpu;
  bool json_ = false, markdown_ = false;
};

void ListCommand::declare(Arguments& arguments) {
  arguments.positional("what", what_, "gpus, drams, policies, counters, probes, experiments or parameters",
                       {"gpus", "drams", "policies", "counters", "probes", "experiments", "parameters"});
  arguments.optional("name", name_, "Of a policy: its options, counters and what it needs");
  arguments.text("--gpu", gpu_, "GPU whose values `parameters` shows");
  arguments.flag("--json", json_, "Print JSON");
  arguments.flag("--markdown", markdown_, "Print `counters` or `policies` as the documentation has them");
}

std::string ListCommand::text() const {
  if (!name_.empty() && what_ != "policies") {
    throw InputError(fmt::format("list {}: found '{}', allowed is a name after `policies` only", what_, name_));
  }
  if (markdown_ && (json_ || (what_ != "counters" && what_ != "policies")))
    throw InputError("--markdown: allowed with `counters` or `policies`, without --json");
  if (markdown_ && what_ == "policies") return policies_in_detail();
  if (what_ == "counters") {
    return list_counters(markdown_ ? ListFormat::kMarkdown : json_ ? ListFormat::kJson : ListFormat::kText);
  }
  const ListFormat format = json_ ? ListFormat::kJson : ListFormat::kText;
  if (what_ == "gpus") return list_gpus(format);
  if (what_ == "parameters") return list_parameters(load_gpu(gpu_), format);
  if (what_ == "policies") return name_.empty() ? list_policies(format) : list_policy(name_, format);
  std::vector<ListEntry> entries;
  if (what_ == "drams") {
    for (const DramPresetInfo& preset : dram_presets()) entries.push_back({preset.name, preset.description});
  } else if (what_ == "probes") {
    for (const ProbeInfo& probe : probes()) entries.push_back({probe.name, probe.description});
  } else {
    for (const Experiment& experiment : experiments()) entries.push_back({experiment.name, experiment.description});
  }
  return list_entries(what_, entries, format);
}

int ListCommand::execute() {
  print(text());
  return 0;
}

GPUTLM_REGISTER { add_command<ListCommand>("list", "List what there is to choose from", 60); }

}  // namespace

}  // namespace gputlm
