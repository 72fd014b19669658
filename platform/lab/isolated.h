/// SystemC allows one elaboration a process; experiments need many runs. Each runs in a process of its own.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gputlm {

/// What the caller hears while the jobs run.
struct IsolatedRuns {
  std::function<void(std::size_t done)> done;  ///< told how many have ended well, whenever one has
  std::function<bool()> proceed;               ///< asked several times a second; false stops all of them
};

/// Runs each job in a child process, at most `parallel` (0: as many as there are processors) at a time, and returns
/// what they returned, in order; nothing if they were stopped. Results do not depend on `parallel`. A job that is killed
/// by a signal is run once more, last. An InputError of a job is thrown here as such, any other failure of a job as
/// std::runtime_error. No child outlives its parent, however that ends.
std::optional<std::vector<std::string>> run_isolated(const std::vector<std::function<std::string()>>& jobs,
                                                     unsigned parallel, const IsolatedRuns& watch);
std::vector<std::string> run_isolated(const std::vector<std::function<std::string()>>& jobs, unsigned parallel = 0);

}  // namespace gputlm
