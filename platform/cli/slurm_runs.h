/// What commands share whose runs tasks of a Slurm array may do: the options, the campaign in the folder of their results
/// (platform/lab/campaign.h), and the task that works on it.
#pragma once

#include <optional>
#include <string>

#include "platform/cli/arguments.h"
#include "platform/lab/campaign.h"
#include "platform/lab/slurm.h"

namespace gputlm {

class SlurmRuns {
 public:
  /// --slurm, --no-wait, one for each of slurm_keys(), and what tasks are called with.
  void declare(Arguments& arguments);
  bool asked() const { return slurm_; }
  /// What the user says of Slurm goes before what `settings` has.
  void set(SlurmSettings& settings) const;
  /// Throws InputError if something was said of Slurm, which has no part in the command.
  void refuse() const;

  /// Before files of results are opened: from here on SIGINT, SIGTERM and SIGHUP end the waiting. Throws InputError if Slurm
  /// is not there.
  void begin();
  /// Has tasks do the runs of `record` that are not in `folder` yet, and waits for them unless the user does not want it. None
  /// if they are not done: exit_code() says how the command ends. `again`: what the user is told to go on with.
  std::optional<Campaign> carry_out(CampaignRecord record, const PlannedRuns& planned, const std::string& folder,
                                    const std::string& again);
  int exit_code() const { return exit_code_; }

  /// The command was called by Slurm: it works on its task, and is done.
  bool is_task() const { return !work_.empty(); }
  int work(const MakePlan& plan) const;

 private:
  bool slurm_ = false, no_wait_ = false;
  SlurmSettings given_;  ///< empty where they were not
  std::string work_, task_;
  std::optional<Slurm> commands_;
  int exit_code_ = 0;
};

/// The runs that are planned, by their places. Throws InputError, at `origin`, if one has no identity.
std::vector<CampaignRun> campaign_runs(const PlannedRuns& planned, const std::string& origin);

}  // namespace gputlm
