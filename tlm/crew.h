/// Threads that repeatedly do the same work together, each on its own part. Between two pieces of work they spin for a
/// while, and sleep if no work comes.
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
  /// `work(member)`: called on each member, from 0 on; must not throw. Member 0 is the thread that calls run().
  using Work = std::function<void(unsigned member)>;

  /// `members` is 1 or more. Creates a thread for each member but the first; throws std::system_error if it cannot.
  Crew(unsigned members, Work work);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  unsigned members() const { return static_cast<unsigned>(threads_.size()) + 1; }
  /// All members do the work; returns when all have finished. All members see what was written before, and the caller sees
  /// what they have written.
  void run();
  /// A barrier, to be called by all members from within the work.
  void meet();

 private:
  void follow(unsigned member);
  /// Waits until `counter` is no longer `old`.
  void await(const std::atomic<unsigned>& counter, unsigned old);
  void advance(std::atomic<unsigned>& counter);

  Work work_;
  std::atomic<bool> ended_{false};
  // Each on its own cache line: one thread writes while others spin.
  alignas(64) std::atomic<unsigned> begun_{0};    ///< number of pieces of work begun, and the end
  alignas(64) std::atomic<unsigned> arrived_{0};  ///< number of members that have reached the next barrier
  alignas(64) std::atomic<unsigned> met_{0};      ///< number of barriers passed
  alignas(64) std::atomic<unsigned> asleep_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::thread> threads_;
};

}  // namespace gputlm
