/// Runs that tasks of a cluster work on, those of a sweep or of programs that share a GPU: a folder that all of them see. What is there says how far it is, whoever is
/// still alive.
///
///   campaign.json    what is to be run, and what was submitted; the controller alone writes it
///   tasks/2.17.json  the runs of task 17 of submission 2; written before it is submitted, and not changed any more
///   tasks/2.17.log   what that task said; tasks/2.sh: how it was started
///   runs/ID.run      a finished run (run_store.h)
///   failed/ID.json   why a run has no result; goes when the campaign is taken up again
///
/// Every file appears whole or not at all, under a name that is its own: nothing is relied upon but rename(2) within a
/// folder, and that a file that was closed can be read elsewhere. Locks are not: a run belongs to one task, and while a
/// task may still run, its runs are given to no other.
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
  std::string what;  ///< for a reader
};

struct CampaignSubmission {
  std::string job;  ///< Slurm's number; empty: sbatch was not heard of
  std::size_t tasks = 0;
  std::map<std::string, std::size_t> ended;  ///< how many of them how, as far as Slurm has told
};

/// What campaign.json says.
struct CampaignRecord {
  std::string name;                       ///< of its arrays, with the submission's number behind a point; nobody else's
  std::string study;                      ///< that they are runs of: its file; the programs that share
  std::string program;                    ///< program_digest() of who plans it
  std::vector<std::string> command = {};  ///< line that has planned them, without the program; tasks begin with it
  std::string directory = {};             ///< where it was given
  std::vector<std::string> plugins;
  SlurmSettings slurm;
  std::vector<CampaignRun> runs;
  std::vector<CampaignSubmission> submissions;  ///< the first is number 1
};

/// Runs that tasks may do. Who makes them of the same command line has the same.
class PlannedRuns {
 public:
  virtual ~PlannedRuns() = default;
  virtual std::size_t size() const = 0;
  virtual Job job(std::size_t place) const = 0;
  virtual std::string text(std::size_t place) const = 0;  ///< for a reader
};

/// What a task is given.
struct CampaignTask {
  std::string study, program;
  struct Run {
    std::size_t place;  ///< among all runs
    std::string id;
  };
  std::vector<Run> runs;
};

struct CampaignFailure {
  std::string why, task, node;
  bool killed = false;  ///< by a signal: another try may do
};

class Campaign {
 public:
  /// The one in this folder. Throws InputError if there is none.
  static Campaign open(const std::string& folder);
  /// A new one. If one is there, what it has submitted and finished stays known.
  static Campaign begin(const std::string& folder, CampaignRecord record);

  const std::string& folder() const { return folder_; }
  const CampaignRecord& record() const { return record_; }
  const RunStore& store() const { return store_; }
  std::string array_name(std::size_t submission) const;

  /// Runs that are not in the store, each id once, by their place.
  std::vector<std::size_t> missing() const;
  /// As far as the names of files tell.
  std::set<std::string> finished() const;

  /// Gives runs to tasks of the next submission and notes it. Returns its number.
  std::size_t plan(const std::vector<std::size_t>& places, std::size_t tasks);
  /// Notes what became of a submission.
  void note(std::size_t submission, const CampaignSubmission& what);
  /// Throw InputError for what is not there. `task`: "2.17".
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

/// How far a campaign is. Runs that count as several are counted once.
struct CampaignStatus {
  std::size_t of = 0, done = 0;
  std::size_t running = 0;  ///< of tasks that run
  std::size_t waiting = 0;  ///< of tasks that wait
  std::size_t failed = 0;   ///< of the others
};
/// `tasks`: as Slurm knows them.
CampaignStatus status_of(const Campaign& campaign, const std::vector<SlurmTask>& tasks);
/// For a reader, with what failed and why.
std::string status_text(const Campaign& campaign, const std::vector<SlurmTask>& tasks);

// The two sides of a campaign (campaign.h): the controller that has its runs carried out, and the task that does it.

struct CampaignWatch {
  std::function<void(const CampaignStatus&)> progress;
  std::function<void(const std::string& line)> say;  ///< what a user should know
  std::function<bool()> proceed;                     ///< asked often; false: the controller leaves, the tasks go on
  std::string again;                                 ///< what takes the campaign up again: "gputlm sweep --resume out"
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

/// What a task does: its runs that are not finished yet, each kept as soon as it is. `task`: "2.17"; `plan`: makes all
/// runs, with what is in the store. Returns how many of its runs have no result. Throws InputError, noted as the failure of
/// each run, if the program, the GPUs or the workloads here are not those that the controller saw.
using MakePlan = std::function<std::unique_ptr<PlannedRuns>(const RunStore& store)>;
std::size_t work_on(const std::string& folder, const std::string& task, const MakePlan& plan,
                    const JobOptions& options);

}  // namespace gputlm
