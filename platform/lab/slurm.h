/// The parts of Slurm in use: sbatch and squeue, and their settings by the user (slurm.schedmd.com, 22.05).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "platform/input/parameters.h"
#include "tlm/base/tools/tool.h"

namespace gputlm {

/// A setting of the cluster: `KEY: value` in a study's `slurm:`, --slurm-KEY on the command line.
struct SlurmKey : Field {
  std::string sbatch = {};  ///< sbatch's option for the value; empty: a setting of ours
};
const std::vector<SlurmKey>& slurm_keys();
/// Requires an existing name.
const SlurmKey& slurm_key(const std::string& name);
/// 0 for a text that is no whole number.
std::uint64_t slurm_number(const std::string& text);

/// Values by key, none of them empty.
using SlurmSettings = std::map<std::string, std::string>;
/// Throws InputError for a value that is not allowed.
void set_slurm(SlurmSettings& settings, const SlurmKey& key, const std::string& value, const Origin& origin);
/// For a key whose values are numbers.
std::uint64_t slurm_number(const SlurmSettings& settings, const std::string& key);

/// A job array for submission.
struct SlurmArray {
  std::string name;
  std::size_t tasks;   ///< number of tasks, which are numbered from 0
  std::string script;  ///< name of the script; SLURM_ARRAY_TASK_ID is the number of the task
  std::string folder;  ///< working directory
  std::string log;     ///< name of each task's log; %a stands for the number
};

/// A task of an array, as Slurm reports it.
struct SlurmTask {
  std::string array;   ///< name of the array
  std::string state;   ///< RUNNING, PENDING, TIMEOUT, ...
  std::string reason;  ///< why it waits, or how it ended; may be "None"
  std::string node;
  std::size_t number = 0;
  bool runs() const { return state == "RUNNING" || state == "COMPLETING"; }
  /// Whether it will not run any more.
  bool ended() const;
};

/// Throws InputError, with Slurm's message, if a command fails or does not exist.
class Slurm {
 public:
  Slurm();
  /// Returns Slurm's number of the array. Slurm restarts its tasks if a node fails or they are preempted.
  std::string submit(const SlurmArray& array, const SlurmSettings& settings) const;
  /// All tasks of the arrays with these names that Slurm knows; ended ones only for some minutes (MinJobAge).
  std::vector<SlurmTask> tasks(const std::vector<std::string>& names) const;

 private:
  std::string run(const tools::Tool& tool, const std::vector<std::string>& arguments) const;
  tools::Tool sbatch_, squeue_;
  tools::WorkFolder folder_;
};

}  // namespace gputlm
