/// SystemC allows one elaboration a process; experiments need many runs. Each runs in a process of its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace gputlm {

/// Runs each job in a child process, at most `parallel` (0: as many as there are processors) at a time, and returns
/// what they returned, in order. Results do not depend on `parallel`. An InputError of a job is thrown here as such,
/// any other failure of a job as std::runtime_error.
std::vector<std::string> run_isolated(const std::vector<std::function<std::string()>>& jobs, unsigned parallel = 0);

}  // namespace gputlm
