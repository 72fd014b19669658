/// What commands that carry out many runs share: how many at a time, where finished ones are kept, progress, and that
/// they can be interrupted.
#pragma once

#include <optional>
#include <string>

#include "platform/cli/arguments.h"
#include "platform/cli/host_process.h"
#include "platform/lab/jobs.h"
#include "platform/lab/run_store.h"

namespace gputlm {

class ManyRuns {
 public:
  ~ManyRuns();
  /// --jobs, --max-memory, --cache, --no-cache.
  void declare(Arguments& arguments);
  /// The name of an option of these that was given; empty if none was.
  std::string given() const;
  /// Opens the store. Throws InputError if the folder that the user named cannot be used. From here on
  /// SIGINT, SIGTERM and SIGHUP end the runs with Interrupted.
  void begin();
  /// Of all runs at the same time.
  Bytes memory_limit() const;
  /// Sets all that these arguments say of runs, and no more. The options refer to this object.
  void set(JobOptions& options);
  /// What the runs from here on are for: stands before their progress.
  void name(const std::string& what) { name_ = what + ": "; }
  /// The line of progress makes room for what is printed. Returns how many runs there were so far, in words.
  std::string end();

 private:
  unsigned parallel_ = 0;
  std::optional<std::uint64_t> max_memory_;  ///< MiB
  std::string folder_;
  bool no_store_ = false;
  std::optional<RunStore> store_;
  void show();
  std::string text(double seconds) const;

  std::optional<ProgressLine> line_;
  std::string name_;
  JobProgress progress_, before_;  ///< of the jobs under way: now, and when they began
  JobProgress total_;              ///< with those before them
};

}  // namespace gputlm
