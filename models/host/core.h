/// The host: threads make calls, one after the other, which put commands into streams (streams.h); the kernels at the
/// heads of streams go to the work distributor. A thread waits for the release time and the phase of a launch before it
/// makes the call; a phase begins when all launches of the one before have ended. An application that is to be launched
/// again is, whenever all its threads have made their calls and all its commands have ended, until every application
/// has ended once. Plain C++; the module around it is host.h.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "models/host/config.h"
#include "models/host/streams.h"
#include "models/host/workload.h"
#include "tlm/item_source.h"
#include "tlm/launch.h"
#include "tlm/link.h"
#include "tlm/tap.h"

namespace gputlm {

/// A kernel has ended, and the host knows.
struct KernelEnded {
  KernelLaunch kernel;  ///< a copy; its transaction is over
  Cycle notified = 0;   ///< core cycle in which the host knew
};

/// Ends of kernels on their way to the host.
class KernelEnds final : public Receiver<KernelLaunch> {
 public:
  /// `awaited`: launches that have to end before the run does.
  KernelEnds(unsigned depth, std::size_t awaited) : Receiver(depth), queue_(depth), awaited_(awaited) {}
  /// In core cycle `at` - 1 the host will know that every launch of the workload has ended once: what happens from `at`
  /// on is no part of the run. Called as soon as the last end is on its way, a hop ahead, before any unit can have
  /// computed cycle `at`.
  std::function<void(Cycle at)> on_last;

  void push(Cycle at, KernelLaunch& kernel) override {
    queue_.push(at, kernel);
    if (kernel.iteration == 0 && --awaited_ == 0 && on_last) on_last(at + 1);
  }
  Cycle next() const { return queue_.next(); }
  KernelLaunch& pop(Cycle now) {
    freed(now);
    return queue_.take();
  }

 private:
  Inbox<KernelLaunch> queue_;
  std::size_t awaited_;
};

class HostCore {
 public:
  /// `workload` outlives the host. `kernels_in_flight`: as many as the work distributor takes. Ids of kernels are
  /// their places in Workload::launches; when launched again, they get the next free one.
  HostCore(const HostConfig& config, const Workload& workload, const Clock& clock, unsigned kernels_in_flight,
           ItemSource<KernelLaunch>& launches);

  Outbox<KernelLaunch>& launches() { return launches_; }
  KernelEnds& completions() { return completions_; }

  /// Kernels that end, in the order in which the host hears of it.
  Tap<KernelEnded> kernels_ended;

  /// Computes everything strictly before `until` (core cycles); returns the next cycle with work, kNever if only an
  /// arrival makes some.
  Cycle advance(Cycle until);

  /// Every launch of the workload has ended once.
  bool done() const { return ended_ == workload_.launches.size(); }
  /// Launches of the workload that have ended once.
  std::size_t ended() const { return ended_; }
  /// Launches under way, in the order of their streams.
  std::vector<const KernelLaunch*> running() const;
  /// Streams that have not ended and threads that wait for them, for the report of a deadlock.
  std::vector<std::string> waiting() const;

 private:
  struct Thread {
    std::size_t next = 0;     ///< first call that has not been made
    Cycle free_at = 0;        ///< for it
    bool blocked = false;     ///< in the call `next`, a synchronization,
    std::uint64_t order = 0;  ///< of all commands issued before this place
  };
  struct Stream {
    std::size_t launches = 0;  ///< in an iteration
    std::size_t ended = 0;     ///< of them, in this iteration
    const KernelLaunch* running = nullptr;
  };
  struct Application {
    std::size_t calls = 0;        ///< of all its threads
    std::size_t left = 0;         ///< of them and their commands, that have not ended in this iteration
    std::uint32_t iteration = 0;  ///< how often it has been launched again
    Cycle start = 0;              ///< of this iteration
  };

  const HostCall& call(std::size_t thread) const { return specs_[thread].calls[threads_[thread].next]; }
  /// Cycle with work, as far as is known now.
  Cycle next() const;
  /// Cycle at which the thread's next call has been made; kNever if it waits for something else.
  Cycle due(std::size_t thread) const;
  /// Cycle from which on the launch may be called for.
  Cycle released(const LaunchCommand& command) const;
  /// Threads make their calls, a call each in turn, and streams do what needs no engine, as far as all that goes at
  /// `now`.
  void settle(Cycle now);
  bool make_call(std::size_t thread, Cycle now);
  bool unblock(std::size_t thread, Cycle now);
  bool pass_events(StreamId stream, Cycle now);
  /// The stream whose head goes to the work distributor next, if there is one.
  std::optional<StreamId> to_submit() const;
  void submit(StreamId stream, Cycle now);
  void complete(KernelLaunch& kernel, Cycle now);
  /// A call that needs nothing more, or a command of the application, has ended.
  void end_one(ApplicationId application, Cycle now);
  void launch_again(ApplicationId application, Cycle now);
  /// Starts the next phase that has launches, if the current one has ended.
  void pass_ended_phases(Cycle now);

  HostConfig config_;
  const Workload& workload_;
  Clock clock_;
  ItemSource<KernelLaunch>& source_;
  std::vector<ThreadSpec> specs_;
  std::vector<Thread> threads_;
  Streams queues_;
  std::vector<Stream> streams_;
  std::vector<Application> applications_;
  KernelId next_id_;                      ///< for what is launched again
  std::vector<std::size_t> phase_sizes_;  ///< launches of each phase
  std::size_t phase_ = 0;
  std::size_t left_in_phase_ = 0;
  Cycle phase_start_ = 0;
  std::size_t ended_ = 0;
  Outbox<KernelLaunch> launches_;
  KernelEnds completions_;
};

}  // namespace gputlm
