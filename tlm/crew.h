/// Threads that do the same work together, again and again, each on a part of its own. Between two pieces of work they
/// watch for the next one for a while, and sleep if none comes.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace gputlm {

class Crew {
 public:
  /// `work(member)`: done by all `members`, from 0 on; must not throw. 0 is the thread that calls run().
  using Work = std::function<void(unsigned member)>;

  /// `members` is 1 or more; the threads of all but the first are made here. Throws std::system_error if they cannot be.
  Crew(unsigned members, Work work);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  unsigned members() const { return static_cast<unsigned>(threads_.size()) + 1; }
  /// All members do the work; returns when all have done it. What was written before is seen by all of them, and what
  /// they have written is seen afterwards.
  void run();
  /// To be called in the work, by all members alike: none goes on before all have come this far.
  void meet();

 private:
  void follow(unsigned member);
  /// Waits until `counter` is no longer `old`.
  void await(const std::atomic<unsigned>& counter, unsigned old);
  void advance(std::atomic<unsigned>& counter);

  Work work_;
  std::atomic<bool> ended_{false};
  // Each on a line of its own: one thread writes while others watch.
  alignas(64) std::atomic<unsigned> begun_{0};    ///< pieces of work, and the end
  alignas(64) std::atomic<unsigned> arrived_{0};  ///< members at the coming meeting
  alignas(64) std::atomic<unsigned> met_{0};      ///< meetings
  alignas(64) std::atomic<unsigned> asleep_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::thread> threads_;
};

}  // namespace gputlm
