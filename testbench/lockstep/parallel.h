/// Jobs on several threads, which one failure or the caller ends together.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

namespace gputlm {

/// Runs job(0) to job(count - 1), at most `parallel` (0: as many as there are processors) at a time. Their second
/// argument becomes true when they shall end early: because `proceed`, which the calling thread calls every 50 ms and
/// at the end with (jobs done, count), answered false, or because another job threw. The first exception of a job is
/// thrown here when all have ended.
void run_parallel(std::size_t count, unsigned parallel,
                  const std::function<void(std::size_t, const std::atomic<bool>&)>& job,
                  const std::function<bool(std::size_t, std::size_t)>& proceed);

}  // namespace gputlm
