/// Jobs are independent runs, each with an id; a set of runs (run_set.h) consists of them. carry_out() runs a list of jobs in
/// processes of this machine.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tlm/base/time.h"

namespace gputlm {

// SystemC allows one elaboration per process, and experiments need many runs. So each runs in its own process.

/// Why a job has no result.
struct RunFailure {
  enum class Kind {
    kInput,   ///< it threw an InputError
    kOther,   ///< it threw another exception
    kKilled,  ///< a signal killed it, twice
  };
  std::size_t job;
  Kind kind;
  std::string why;
};

/// Callbacks and limits while the jobs run.
struct IsolatedRuns {
  std::function<void(std::size_t done)> done;  ///< called after each success with the number of successes
  std::function<bool()> proceed;               ///< called several times a second; false stops all jobs
  /// Called for a job that failed; the others continue, and its result is empty. Null: no other job is started, and the
  /// failure is thrown.
  std::function<void(const RunFailure&)> failed;
  std::vector<Bytes> memory;  ///< estimated memory of each job; empty: not known
  Bytes most_memory = 0;      ///< limit for all running jobs together; a larger job runs alone; 0: no limit
};

/// Runs each job in a child process, at most `parallel` at a time (0: the number of processors), and returns their results,
/// in order; none if they were stopped. Results do not depend on `parallel`. A job that a signal killed is run once more, at
/// the end. An InputError of a job is rethrown here as such, any other failure as std::runtime_error. No child outlives its
/// parent, however that ends.
std::optional<std::vector<std::string>> run_isolated(const std::vector<std::function<std::string()>>& jobs,
                                                     unsigned parallel, const IsolatedRuns& watch);
std::vector<std::string> run_isolated(const std::vector<std::function<std::string()>>& jobs, unsigned parallel = 0);

class RunStore;

/// How a job is computed; this does not affect its result.
struct Execution {
  unsigned window = 0;  ///< look-ahead in core cycles (platform/run/simulation.h); 0: the largest possible
  unsigned threads =
      0;  ///< number of threads that compute units; 0: see JobOptions::parallel. The run itself gets 1 or more
};

struct Job {
  /// A digest of everything that the result depends on: the program (program_digest()), configuration and inputs. Jobs with
  /// the same id have the same result. Empty: not known, so the result is not stored.
  std::string id;
  /// Returns the result as bytes. Called in a separate process: SystemC allows one elaboration per process.
  std::function<std::string(const Execution&)> work;
  Bytes memory = 0;  ///< estimated memory of the job
};

struct JobProgress {
  std::size_t done = 0;  ///< number of jobs done, including stored results and duplicates
  std::size_t kept = 0;  ///< number of results found in the store
  std::size_t of = 0;
};

struct JobOptions {
  /// Maximum number of simultaneous jobs; 0: by the number of processors. A job has one thread unless told otherwise; if
  /// neither is set and there are fewer jobs than processors, the processors are divided among the jobs.
  unsigned parallel = 0;
  Bytes most_memory = 0;            ///< limit for simultaneous jobs together; 0: no limit
  Execution execution = {};         ///< execution of each job
  const RunStore* store = nullptr;  ///< where results are looked up, and stored immediately; null: nowhere
  std::function<void(const JobProgress&)> progress;  ///< called at the start and after each job
  std::function<bool()> proceed;                     ///< called often; false ends everything with Interrupted
  /// Called for a job that failed; the others continue, and its result is empty. Null: the failure is thrown.
  std::function<void(const RunFailure&)> failed;
  std::vector<std::string> settings = {};  ///< settings key=value of the GPU of every GPU run, after its own
};

/// The user stopped the jobs.
class Interrupted : public std::runtime_error {
 public:
  /// `kept`: whether the finished runs are in a store.
  Interrupted(const JobProgress& progress, bool kept);
  explicit Interrupted(const std::string& how_far) : std::runtime_error(how_far) {}
};

/// Returns the results in the order of the jobs; they do not depend on the options. Once the running jobs have ended, an
/// InputError of a job is rethrown here as such, and any other failure as std::runtime_error.
std::vector<std::string> carry_out(const std::vector<Job>& jobs, const JobOptions& options);

/// A digest of this executable and everything that it has loaded (plugins, libraries).
const std::string& program_digest();
/// Adds something else that affects results and is loaded later, if at all: a design in SystemVerilog.
void add_to_program_digest(const std::string& content);

}  // namespace gputlm
