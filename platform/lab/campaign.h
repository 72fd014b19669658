/// Runs of a sweep, or of programs that share a GPU, that the tasks of a cluster carry out: a folder that all of them see.
/// Its files tell the progress, no matter which processes are alive.
///
///   campaign.json    what to run, and what was submitted; only the controller writes it
///   tasks/2.17.json  the runs of task 17 of submission 2; written before the submission and never changed
///   tasks/2.17.log   output of that task; tasks/2.sh: how it was started
///   runs/ID.run      a finished run (run_store.h)
///   failed/ID.json   why a run has no result; removed when the campaign is resumed
///
/// Every file appears whole or not at all, under a unique name. The folder relies only on rename(2) within a folder, and on a
/// closed file being readable elsewhere. It uses no locks: a run belongs to one task, and while a task may still run, its
/// runs are given to no other.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "platform/lab/jobs.h"
#include "platform/lab/run_store.h"
#include "platform/lab/slurm.h"

namespace gputlm {

struct CampaignRun {
  std::string id;    ///< Job::id
  std::string what;  ///< description for a reader
};

struct CampaignSubmission {
  std::string job;  ///< Slurm's number; empty: sbatch did not answer
  std::size_t tasks = 0;
  std::map<std::string, std::size_t> ended;  ///< number of tasks by how they ended, as far as Slurm has told
};

/// The contents of campaign.json.
struct CampaignRecord {
  std::string name;     ///< unique name of its arrays, followed by a point and the submission's number
  std::string study;    ///< file of the study that the runs belong to, or the sharing programs
  std::string program;  ///< program_digest() of the program that plans it
  std::vector<std::string> command =
      {};                      ///< command line that planned it, without the program; command lines of tasks begin
                               ///< with it
  std::string directory = {};  ///< working directory of that command
  std::vector<std::string> plugins;
  SlurmSettings slurm;
  std::vector<CampaignRun> runs;
  std::vector<CampaignSubmission> submissions;  ///< the first one has number 1
};

/// Runs for tasks. The same command line always gives the same runs.
class PlannedRuns {
 public:
  virtual ~PlannedRuns() = default;
  virtual std::size_t size() const = 0;
  virtual Job job(std::size_t place) const = 0;
  virtual std::string text(std::size_t place) const = 0;  ///< description for a reader
};

/// The assignment of a task.
struct CampaignTask {
  std::string study, program;
  struct Run {
    std::size_t place;  ///< index among all runs
    std::string id;
  };
  std::vector<Run> runs;
};

struct CampaignFailure {
  std::string why, task, node;
  bool killed = false;  ///< whether a signal killed it: then a retry may succeed
};

class Campaign {
 public:
  /// Opens the campaign in this folder. Throws InputError if there is none.
  static Campaign open(const std::string& folder);
  /// Begins a campaign. If the folder has one, its submissions and finished runs are kept.
  static Campaign begin(const std::string& folder, CampaignRecord record);

  const std::string& folder() const { return folder_; }
  const CampaignRecord& record() const { return record_; }
  const RunStore& store() const { return store_; }
  std::string array_name(std::size_t submission) const;

  /// Runs that are not in the store, each id once, by index.
  std::vector<std::size_t> missing() const;
  /// The ids of finished runs, judged by the names of files.
  std::set<std::string> finished() const;

  /// Assigns runs to the tasks of the next submission, records it, and returns its number.
  std::size_t plan(const std::vector<std::size_t>& places, std::size_t tasks);
  /// Records the state of a submission.
  void note(std::size_t submission, const CampaignSubmission& what);
  /// Both throw InputError if the file does not exist. `task`: "2.17".
  static CampaignTask task(const std::string& folder, const std::string& task);

  static void fail(const std::string& folder, const std::string& id, const CampaignFailure& failure);
  std::map<std::string, CampaignFailure> failures() const;
  void forget_failures() const;

  std::string file(const std::string& name) const { return folder_ + "/" + name; }

 private:
  Campaign(std::string folder, CampaignRecord record);
  void save() const;
  std::string folder_;
  CampaignRecord record_;
  RunStore store_;
};

/// The progress of a campaign. Duplicate runs count once.
struct CampaignStatus {
  std::size_t of = 0, done = 0;
  std::size_t running = 0;  ///< runs assigned to running tasks
  std::size_t waiting = 0;  ///< runs assigned to waiting tasks
  std::size_t failed = 0;   ///< other runs that have failed
};
/// `tasks`: as Slurm reports them.
CampaignStatus status_of(const Campaign& campaign, const std::vector<SlurmTask>& tasks);
/// The progress for a reader, with failures and their reasons.
std::string status_text(const Campaign& campaign, const std::vector<SlurmTask>& tasks);

// The two sides of a campaign (campaign.h): the controller, which has its runs carried out, and the task, which carries them
// out.

struct CampaignWatch {
  std::function<void(const CampaignStatus&)> progress;
  std::function<void(const std::string& line)> say;  ///< prints a message for the user
  std::function<bool()> proceed;                     ///< called often; false: the controller exits, the tasks continue
  std::string again;                                 ///< command that resumes the campaign: "gputlm sweep --resume out"
};

enum class CampaignEnd {
  kDone,       ///< every run is in the store
  kSubmitted,  ///< tasks are submitted; only without waiting
  kLeft,       ///< the user stopped it
};

/// Has tasks carry out the missing runs, and waits for them. Tasks that fail, are killed or preempted are submitted again,
/// until `tries` submissions in a row finish no run. A run that fails by itself is not retried. Earlier submissions, also
/// those of another controller, are waited for first, so no run is given to two tasks. Throws InputError if runs are left
/// that nothing will finish, and if Slurm refuses.
CampaignEnd carry_out(Campaign& campaign, const Slurm& slurm, bool wait, const CampaignWatch& watch);

/// The work of a task: its unfinished runs, each stored as soon as it ends. `task`: "2.17"; `plan`: makes all runs, given the
/// contents of the store. Returns the number of its runs without a result. Throws InputError, recorded as the failure of each
/// run, if the program, the GPUs or the workloads differ from those that the controller saw.
using MakePlan = std::function<std::unique_ptr<PlannedRuns>(const RunStore& store)>;
std::size_t work_on(const std::string& folder, const std::string& task, const MakePlan& plan,
                    const JobOptions& options);

}  // namespace gputlm
