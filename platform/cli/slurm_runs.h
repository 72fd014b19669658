/// Common parts of commands whose runs may be carried out by tasks of a Slurm array: the options, the campaign in the output
/// folder (platform/lab/campaign.h), and the task that works on it.
#pragma once

#include <optional>
#include <string>

#include "platform/cli/arguments.h"
#include "platform/lab/campaign.h"
#include "platform/lab/slurm.h"

namespace gputlm {

class SlurmRuns {
 public:
  /// --slurm, --no-wait, one option for each of slurm_keys(), and the options of tasks.
  void declare(Arguments& arguments);
  bool asked() const { return slurm_; }
  /// Overrides `settings` with the user's settings of Slurm.
  void set(SlurmSettings& settings) const;
  /// Throws InputError if a Slurm option was given to a command that does not use Slurm.
  void refuse() const;

  /// Call it before output files are opened: from here on SIGINT, SIGTERM and SIGHUP end the waiting. Throws InputError if
  /// Slurm is not available.
  void begin();
  /// Has tasks carry out the runs of `record` that are missing from `folder`, and waits for them unless told not to. None if
  /// they are not done: then exit_code() is the command's exit code. `again`: the command that the user is told to continue
  /// with.
  std::optional<Campaign> carry_out(CampaignRecord record, const PlannedRuns& planned, const std::string& folder,
                                    const std::string& again);
  int exit_code() const { return exit_code_; }

  /// Whether Slurm called the command: it then works on its task and exits.
  bool is_task() const { return !work_.empty(); }
  int work(const MakePlan& plan) const;

 private:
  bool slurm_ = false, no_wait_ = false;
  SlurmSettings given_;  ///< settings that the user gave; empty if there are none
  std::string work_, task_;
  std::optional<Slurm> commands_;
  int exit_code_ = 0;
};

/// The planned runs, by index. Throws InputError, at `origin`, if one has no identity.
std::vector<CampaignRun> campaign_runs(const PlannedRuns& planned, const std::string& origin);

}  // namespace gputlm
