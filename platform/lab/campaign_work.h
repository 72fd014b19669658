/// The two sides of a campaign (campaign.h): the controller that has its runs carried out, and the task that does it.
#pragma once

#include <functional>
#include <string>

#include "platform/lab/campaign.h"
#include "platform/lab/jobs.h"

namespace gputlm {

struct CampaignWatch {
  std::function<void(const CampaignStatus&)> progress;
  std::function<void(const std::string& line)> say;  ///< what a user should know
  std::function<bool()> proceed;                     ///< asked often; false: the controller leaves, the tasks go on
};

enum class CampaignEnd {
  kDone,       ///< every run is in the store
  kSubmitted,  ///< tasks are at work; only where it does not wait
  kLeft,       ///< the user wanted it
};

/// Has tasks do what is missing, and waits for them; those that fail, are killed or pre-empted are submitted again, as
/// long as a submission finishes a run, or `tries` times in a row that finish none. A run that fails by itself is not
/// tried again. Whatever was submitted before, by another controller, is waited for first, so no run is given to two
/// tasks. Throws InputError when runs are left that nobody will finish, and where Slurm refuses.
CampaignEnd carry_out(Campaign& campaign, const Slurm& slurm, bool wait, const CampaignWatch& watch);

/// What a task does: its runs that are not finished yet, each kept as soon as it is. `task`: "2.17". Returns how many of
/// them have no result. Throws InputError, noted as the failure of each run, if the program, the GPUs or the workloads
/// here are not those that the controller saw.
std::size_t work_on(const std::string& folder, const std::string& task, const JobOptions& options);

}  // namespace gputlm
