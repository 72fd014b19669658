/// Runs that do not depend on each other, each with an id: what a set of runs (run_set.h) is made of. What can carry out such a list -
/// here processes of this machine - can carry out a set.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tlm/time.h"

namespace gputlm {

// SystemC allows one elaboration a process; experiments need many runs. Each runs in a process of its own.

/// Why a job has no result.
struct RunFailure {
  enum class Kind {
    kInput,   ///< it has thrown an InputError
    kOther,   ///< it has thrown something else
    kKilled,  ///< by a signal, twice
  };
  std::size_t job;
  Kind kind;
  std::string why;
};

/// What the caller hears while the jobs run, and what holds for them.
struct IsolatedRuns {
  std::function<void(std::size_t done)> done;  ///< told how many have ended well, whenever one has
  std::function<bool()> proceed;               ///< asked several times a second; false stops all of them
  /// Told of a job that failed; the others go on, and it has an empty result. Null: no other is begun, and the failure is
  /// thrown.
  std::function<void(const RunFailure&)> failed;
  std::vector<Bytes> memory;  ///< that each job takes, about; empty: not known
  Bytes most_memory = 0;      ///< that those under way may take together, but for one that takes more; 0: any
};

/// Runs each job in a child process, at most `parallel` (0: as many as there are processors) at a time, and returns
/// what they returned, in order; nothing if they were stopped. Results do not depend on `parallel`. A job that is killed
/// by a signal is run once more, last. An InputError of a job is thrown here as such, any other failure of a job as
/// std::runtime_error. No child outlives its parent, however that ends.
std::optional<std::vector<std::string>> run_isolated(const std::vector<std::function<std::string()>>& jobs,
                                                     unsigned parallel, const IsolatedRuns& watch);
std::vector<std::string> run_isolated(const std::vector<std::function<std::string()>>& jobs, unsigned parallel = 0);

class RunStore;

/// How a job is computed. Its result does not depend on it.
struct Execution {
  unsigned window = 0;   ///< look-ahead in core cycles (platform/run/simulation.h); 0: the largest possible
  unsigned threads = 0;  ///< that compute units; 0: see JobOptions::parallel. The run itself gets 1 or more
};

struct Job {
  /// A digest of all that the result depends on: the program (program_digest()), configuration and inputs. Jobs with
  /// the same id have the same result. Empty: not known, so the result is not kept.
  std::string id;
  /// Returns the result as bytes. Called in a process of its own: SystemC allows one elaboration a process.
  std::function<std::string(const Execution&)> work;
  Bytes memory = 0;  ///< that it takes, about
};

struct JobProgress {
  std::size_t done = 0;  ///< with those kept, and those that are another's repetition
  std::size_t kept = 0;  ///< found in the store
  std::size_t of = 0;
};

struct JobOptions {
  /// Jobs at the same time; 0: as many as processors for their threads. Threads are one each unless told; where both are
  /// open and there are fewer jobs than processors, as many as there are processors for each.
  unsigned parallel = 0;
  Bytes most_memory = 0;            ///< that jobs at the same time may take together; 0: any
  Execution execution = {};         ///< of each job
  const RunStore* store = nullptr;  ///< where results are looked up and kept as soon as they are there; null: nowhere
  std::function<void(const JobProgress&)> progress;  ///< told at the start and whenever a job is done
  std::function<bool()> proceed;                     ///< asked often; false ends everything with Interrupted
  /// Told of a job that failed; the others go on, and its result is empty. Null: the failure is thrown.
  std::function<void(const RunFailure&)> failed;
  std::vector<std::string> settings = {};  ///< key=value of the GPU of every GPU run, after its own
};

/// The user wanted to stop.
class Interrupted : public std::runtime_error {
 public:
  /// `kept`: whether the runs that were done are in a store.
  Interrupted(const JobProgress& progress, bool kept);
  explicit Interrupted(const std::string& how_far) : std::runtime_error(how_far) {}
};

/// The results, in the order of the jobs; they do not depend on the options. An InputError of a job is thrown here as
/// such, any other failure as std::runtime_error, when the jobs that are under way have ended.
std::vector<std::string> carry_out(const std::vector<Job>& jobs, const JobOptions& options);

/// Of this executable and of all that it has loaded (plugins, libraries).
const std::string& program_digest();
/// What else results depend on, and is loaded later if at all: a design in SystemVerilog.
void add_to_program_digest(const std::string& content);

}  // namespace gputlm
