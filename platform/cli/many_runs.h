/// Common arguments of commands that carry out many runs: parallelism, the store of finished runs, progress and interruption.
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
  /// The name of one of these options that was given; empty if there was none.
  std::string given() const;
  /// Opens the store. Throws InputError if the folder that the user named cannot be used. From here on SIGINT, SIGTERM and
  /// SIGHUP end the runs with Interrupted.
  void begin();
  /// Limit for all simultaneous runs together.
  Bytes memory_limit() const;
  /// Sets those options that these arguments determine. They refer to this object.
  void set(JobOptions& options);
  /// The purpose of the following runs: a prefix of their progress line.
  void name(const std::string& what) { name_ = what + ": "; }
  /// Erases the progress line before other output. Returns the number of runs so far, in words.
  std::string end();

 private:
  unsigned parallel_ = 0;
  std::optional<std::uint64_t> max_memory_;  ///< limit in MiB
  std::string folder_;
  bool no_store_ = false;
  std::optional<RunStore> store_;
  void show();
  std::string text(double seconds) const;

  std::optional<ProgressLine> line_;
  std::string name_;
  JobProgress progress_, before_;  ///< progress of the current jobs: now, and when they began
  JobProgress total_;              ///< progress including earlier jobs
};

}  // namespace gputlm
