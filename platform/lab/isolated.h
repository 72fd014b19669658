/// SystemC allows one elaboration a process; experiments need many runs. Each runs in a process of its own.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tlm/time.h"

namespace gputlm {

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

}  // namespace gputlm
