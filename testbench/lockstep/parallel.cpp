#include "testbench/lockstep/parallel.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace gputlm {

void run_parallel(std::size_t count, unsigned parallel,
                  const std::function<void(std::size_t, const std::atomic<bool>&)>& job,
                  const std::function<bool(std::size_t, std::size_t)>& proceed) {
  if (parallel == 0) parallel = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t threads_needed = std::min<std::size_t>(parallel, count);
  std::atomic<bool> stop{false};
  std::mutex mutex;  // guards the following
  std::condition_variable changed;
  std::size_t next = 0, done = 0, ended_threads = 0;
  std::exception_ptr failure;

  const auto work = [&] {
    std::unique_lock lock(mutex);
    while (next < count && !stop) {
      const std::size_t mine = next++;
      lock.unlock();
      std::exception_ptr error;
      try {
        job(mine, stop);
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      if (error && !failure) failure = error;
      if (error)
        stop = true;
      else
        ++done;
      changed.notify_one();
    }
    ++ended_threads;
    changed.notify_one();
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < threads_needed; ++i) threads.emplace_back(work);
  for (bool ended = false; !ended;) {
    std::unique_lock lock(mutex);
    if (ended_threads < threads_needed) changed.wait_for(lock, std::chrono::milliseconds(50));
    ended = ended_threads == threads_needed;
    const std::size_t so_far = done;
    lock.unlock();
    if (!proceed(so_far, count)) stop = true;
  }
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace gputlm
