/// Runs jobs on several threads; a failure or the caller ends all of them.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

namespace gputlm {

/// Runs job(0) to job(count - 1), at most `parallel` (0: the number of processors) at a time. The flag in their second
/// argument becomes true when they are to end early: because `proceed` returned false, or because another job threw. The
/// calling thread calls `proceed` every 50 ms and at the end, with (jobs done, count). The first exception of a job is
/// rethrown here after all have ended.
void run_parallel(std::size_t count, unsigned parallel,
                  const std::function<void(std::size_t, const std::atomic<bool>&)>& job,
                  const std::function<bool(std::size_t, std::size_t)>& proceed);

}  // namespace gputlm
