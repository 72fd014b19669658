#include "tlm/crew.h"

#include <utility>

namespace gputlm {
namespace {

/// Number of spins before a thread sleeps: some 50 us, as long as it takes to wake a thread. A thread does not yield before:
/// another process would keep the processor for milliseconds, while a woken thread gets it at once.
constexpr unsigned kLooks = 2000;

/// Yields to the core's other hardware thread.
void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

Crew::Crew(unsigned members, Work work) : work_(std::move(work)) {
  threads_.reserve(members - 1);
  try {
    for (unsigned member = 1; member < members; ++member) threads_.emplace_back([this, member] { follow(member); });
  } catch (...) {
    ended_ = true;
    advance(begun_);
    for (std::thread& thread : threads_) thread.join();
    throw;
  }
}

Crew::~Crew() {
  ended_ = true;
  advance(begun_);
  for (std::thread& thread : threads_) thread.join();
}

void Crew::run() {
  if (!threads_.empty()) advance(begun_);
  work_(0);
  meet();
}

void Crew::meet() {
  if (threads_.empty()) return;
  const unsigned meeting = met_.load(std::memory_order_relaxed);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) == threads_.size()) {
    arrived_.store(0, std::memory_order_relaxed);
    advance(met_);
  } else {
    await(met_, meeting);
  }
}

void Crew::follow(unsigned member) {
  for (unsigned done = 0;; ++done) {
    await(begun_, done);
    if (ended_) return;
    work_(member);
    meet();
  }
}

void Crew::await(const std::atomic<unsigned>& counter, unsigned old) {
  for (unsigned look = 0; look < kLooks; ++look) {
    if (counter.load(std::memory_order_acquire) != old) return;
    pause();
  }
  std::unique_lock lock(mutex_);
  asleep_.fetch_add(1);
  changed_.wait(lock, [&] { return counter.load() != old; });
  asleep_.fetch_sub(1);
}

/// A thread that goes to sleep first counts itself and then reads the counter. So either the thread sees this write, or this
/// function sees the thread. All four operations are sequentially consistent.
void Crew::advance(std::atomic<unsigned>& counter) {
  counter.fetch_add(1);
  if (asleep_.load() == 0) return;
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

}  // namespace gputlm
