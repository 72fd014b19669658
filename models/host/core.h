/// The host: threads make calls in sequence, which put commands into streams (streams.h); kernels at the heads of streams
/// go to the work distributor, copies to the copy engines. A thread waits for the release time and the phase of a launch
/// before the call; a phase begins when all launches of the previous one have ended. An application with relaunch is
/// launched again whenever all its threads have made their calls and all its commands have ended, until every application
/// has ended once. Only threads and streams affected by an event are examined, so an event's cost does not depend on their
/// total number. Plain C++; the module around it is host.h.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "models/host/access_policies.h"
#include "models/host/config.h"
#include "models/host/ended.h"
#include "models/host/ready_streams.h"
#include "models/host/rounds.h"
#include "models/host/streams.h"
#include "models/host/workload.h"
#include "tlm/item_source.h"
#include "tlm/link.h"
#include "tlm/pending_work.h"
#include "tlm/tap.h"

namespace gputlm {

/// Detects that the last completion for which a run waits is on its way to the host.
class RunEnd {
 public:
  explicit RunEnd(std::size_t awaited) : awaited_(awaited) {}
  /// Cycles between the host's decision and the end of the run, so that every unit can be told in time. To be set before
  /// the run.
  Cycle notice = 1;
  /// Called as soon as the last completion is on its way, a hop ahead. In core cycle `at` - 1 the host will know that every
  /// launch and copy of the workload has ended once; the run ends before `at`.
  std::function<void(Cycle at)> on_last;

  void comes(Cycle at) {
    latest_ = std::max(latest_, at);
    if (--awaited_ == 0 && on_last) on_last(latest_ + 1);
  }
  /// Records a completion that the host itself has seen.
  void ended(Cycle now) { comes(now + notice); }
  /// Adds completions for which the run waits.
  void expect(std::size_t more) { awaited_ += more; }

 private:
  std::size_t awaited_;
  Cycle latest_ = 0;
};

/// Ends of kernels or copies on their way to the host.
template <class Item>
class Ends final : public Receiver<Item> {
 public:
  Ends(unsigned depth, RunEnd& run_end, const Workload& workload)
      : Receiver<Item>(depth), queue_(depth), run_end_(run_end), workload_(workload) {}
  void push(Cycle at, Item& item) override {
    queue_.push(at, item);
    if (awaited(item)) run_end_.comes(at);
  }
  /// Whether the run waits for its end: in relaunched applications, only the first time.
  bool awaited(const Item& item) const {
    return item.iteration == 0 || !workload_.applications[item.identity.application].relaunch;
  }
  Cycle next() const { return queue_.next(); }
  Item& pop(Cycle now) {
    this->freed(now);
    return queue_.take();
  }

 private:
  Inbox<Item> queue_;
  RunEnd& run_end_;
  const Workload& workload_;
};

/// A host thread has made a call, or has finished other work.
struct CallMade {
  std::uint32_t thread = 0;  ///< index in host_threads()
  std::uint32_t call = 0;    ///< index in ThreadSpec::calls
  /// Earlier issues of the command; for other calls, earlier launches of the application or iterations of the loop.
  std::uint32_t iteration = 0;
  Cycle begin = 0, end = 0;  ///< time in which it occupied the thread; for a launch, without waits before it
};

/// A step of a launch or copy: into its stream, to its engine, and its end known to the host.
struct StreamStep {
  enum class Step : std::uint8_t { kIssued, kSubmitted, kEnded };
  Cycle at = 0;
  StreamId stream = 0;
  std::uint32_t command = 0, iteration = 0;  ///< index in Workload::launches or, if `copy`, Workload::copies
  bool copy = false;
  Step step = Step::kIssued;
};

/// The GPUs that a host drives: one, or the instances of one. Each has separate links, so that none waits for another.
struct HostedGpus {
  unsigned count = 1;
  std::vector<unsigned> of_application = {};  ///< GPU of each application; empty: there is only one
  bool share_link = false;                    ///< whether the GPUs' copies from and to the host share one link
  /// How contexts of applications take turns on each GPU.
  TurnTaking turns = {};
};

class HostCore {
 public:
  /// `workload` outlives the host. `kernels_in_flight`: capacity of the work distributor; `of_application`: limit for each
  /// application. Ids of kernels are their indices in Workload::launches; a relaunch gets the next free id.
  HostCore(const HostConfig& config, const Workload& workload, const Clock& clock, unsigned kernels_in_flight,
           unsigned of_application, ItemSource<KernelLaunch>& launches, ItemSource<Copy>& copies,
           ItemSource<PendingWork>& words, const HostedGpus& gpus = {});

  // Links of each GPU.
  Outbox<KernelLaunch>& launches(unsigned gpu = 0) { return gpus_[gpu].launches; }
  Ends<KernelLaunch>& completions(unsigned gpu = 0) { return gpus_[gpu].completions; }
  Outbox<Copy>& copies(unsigned gpu = 0) { return gpus_[gpu].copies; }
  Ends<Copy>& copy_ends(unsigned gpu = 0) { return gpus_[gpu].copy_ends; }
  Outbox<PendingWork>& pending_work(unsigned gpu = 0) { return gpus_[gpu].words; }
  Inbox<PendingWork>& pending_work_heard(unsigned gpu = 0) { return gpus_[gpu].words_heard; }
  unsigned gpu_of(ApplicationId application) const {
    return gpu_of_application_.empty() ? 0 : gpu_of_application_[application];
  }
  RunEnd& run_end() { return run_end_; }

  /// Ended kernels, in the order in which the host is notified.
  Tap<KernelEnded> kernels_ended;
  /// Ended copies and memsets, in the order in which the host is notified.
  Tap<CopyEnded> copies_ended;
  /// Ended jobs, in the order in which the host is notified; after their last commands.
  Tap<JobEnded> jobs_ended;
  /// Dropped jobs, and changes of the mode, in order.
  Tap<JobDropped> jobs_dropped;
  Tap<ModeChange> mode_changes;
  /// Calls, in the order of their ends.
  Tap<CallMade> calls_made;
  Tap<StreamStep> stream_steps;

  /// Computes everything strictly before `until` (core cycles); returns the next cycle with work, kNever if it depends on
  /// an arrival.
  Cycle advance(Cycle until);

  /// Whether every launch and copy of the workload has ended once, and every loop has finished.
  bool done() const { return awaited_ == 0; }
  /// Launches of the workload that have ended once.
  std::size_t ended() const { return ended_; }
  /// Launches in flight, in the order of their streams.
  std::vector<const KernelLaunch*> running() const;
  /// Streams that have not ended and threads that wait for them, for the report of a deadlock.
  std::vector<std::string> waiting() const;

 private:
  struct Thread {
    std::size_t next = 0;     ///< first call that has not been made
    Cycle free_at = 0;        ///< cycle in which the thread is free for it; if blocked, in which it began
    bool blocked = false;     ///< in the call `next`, a synchronization,
    bool wants_room = false;  ///< or in a call that adds to a full stream,
    std::uint64_t order = 0;  ///< number of commands issued before this place
    bool loops = false;       ///< the thread is in a loop
    Cycle loop = 0;           ///< cycle in which the loop began,
    Cycle iteration = 0;      ///< and in which its current iteration began,
    std::uint32_t count = 0;  ///< number of earlier iterations
    Cycle listed = kNever;    ///< cycle for which it is in due_
  };
  /// Threads or streams that wait for the same condition: when it may hold they are examined, and wait again if it does
  /// not.
  using Waiting = std::vector<std::size_t>;
  /// A barrier of several threads.
  struct Barrier {
    struct Member {
      std::size_t thread;
      std::size_t last;  ///< last call at which it may reach this barrier
    };
    std::vector<Member> members;
  };
  struct Stream {
    std::size_t launches = 0;  ///< launches in an iteration
    std::size_t ended = 0;     ///< those of them that have ended in this iteration
    bool let_go = false;       ///< nothing blocks its head: its delay runs, or it is in ready_launches or ready_copies
    bool delays = false;       ///< the head's delay runs
    bool follows = false;      ///< its head was present when the previous command, a launch, ended
    std::vector<const KernelLaunch*> running = {};  ///< launches in flight; several if they overlap
    std::vector<const Copy*> copying = {};
  };
  struct Job {
    std::size_t commands = 0;
    std::size_t left = 0;     ///< commands that have not ended in this iteration
    Cycle released = kNever;  ///< release in this iteration; kNever if its thread has not reached it
    // With modes:
    bool under_way = false;   ///< the job has been released and has not ended
    bool begun = false;       ///< one of its commands could go to the GPU
    bool dropped = false;     ///< or none of them will go there
    bool in_hi_mode = false;  ///< the mode was hi at some time during the job
  };
  struct Application {
    std::size_t calls = 0;        ///< calls of all its threads
    std::size_t left = 0;         ///< calls and commands that have not ended in this iteration
    std::uint32_t iteration = 0;  ///< number of relaunches
    Cycle start = 0;              ///< start of this iteration
    unsigned in_flight = 0;       ///< kernels in flight
    bool said = false;            ///< last PendingWork sent: whether its streams hold further launches
    bool in_doubt = false;        ///< `said` may no longer hold
  };

  /// The links and state of a GPU.
  struct Gpu {
    Gpu(const HostCore& host, unsigned kernels_in_flight, RunEnd& run_end);
    ReadyStreams ready_launches, ready_copies;
    Outbox<KernelLaunch> launches;
    Ends<KernelLaunch> completions;
    Outbox<Copy> copies;
    Ends<Copy> copy_ends;
    Outbox<PendingWork> words;
    Inbox<PendingWork> words_heard;
    std::vector<ApplicationId> in_doubt;  ///< applications for which a PendingWork may have to be sent
    std::size_t under_way = 0;            ///< launches and copies in flight
    std::size_t due = 0;                  ///< number of calls and ends of delays that will come unconditionally
  };
  Gpu& of(ApplicationId application) { return gpus_[gpu_of(application)]; }

  const HostCall& call(std::size_t thread) const { return specs_[thread].calls[threads_[thread].next]; }
  /// Cycle with work, as far as is known now.
  Cycle next();
  /// Cycle at which the thread's next call will have been made; kNever if it waits for another event.
  Cycle due(std::size_t thread) const;
  /// Updates due_ after a possible change of the time of the thread's next call.
  void list(std::size_t thread);
  void note_due(std::size_t thread, Cycle at);
  /// The earliest cycle at which a call is due.
  Cycle first_due();
  /// The origin of release times of the thread's calls: the start of its loop's iteration, of its application's latest
  /// launch, or of the phase.
  Cycle start(std::size_t thread) const;
  /// Lets threads make their calls, one call each in turn, and streams do what needs no engine, as far as possible at
  /// `now`.
  void settle(Cycle now);
  /// Adds the threads whose calls are due to the round.
  void take_due(Cycle now);
  void make_call(std::size_t thread, Cycle now);
  /// Makes the call, whose command has room in its stream.
  void carry_out(std::size_t thread, Cycle begin, Cycle now);
  bool has_room(StreamId stream) const {
    return config_.launch_queue == 0 || queues_.under_way(stream) < config_.launch_queue;
  }
  void note(StreamStep::Step step, const HostCall& command, std::uint32_t iteration, Cycle now);
  /// Moves the thread to its next call.
  void end_call(std::size_t thread, Cycle begin, Cycle now);
  void note_call(std::size_t thread, Cycle begin, Cycle now);
  void unblock(std::size_t thread, Cycle now);
  static void wake(Rounds& rounds, Waiting& waiting);
  /// Called when the thread has reached or passed a barrier, which may now be complete.
  void wake_barriers_of(std::size_t thread);
  /// Puts the command of the thread's call into its stream.
  void issue(std::size_t thread, Cycle now);
  /// Begins the next iteration of the loop that ends with the thread's call, and returns true, or ends it.
  bool repeat(std::size_t thread, Cycle now);
  void join_barrier(std::size_t thread, std::uint32_t barrier, std::size_t call);
  bool arrived(const Barrier::Member& member, std::uint32_t barrier) const;
  /// Whether all threads that can still reach the barrier have.
  bool all_have_come(std::uint32_t barrier) const;
  void open_barrier(std::uint32_t barrier, Cycle now);
  /// Processes what needs no engine in the stream; then only the delay holds its head, if that can go to an engine.
  void look_at(StreamId stream, Cycle now);
  Femtoseconds delay_of(const HostCall& command) const;
  void begin_delay(StreamId stream, Femtoseconds delay, Cycle now);
  void end_delays(Cycle now);
  /// Marks the stream's head as ready for its engine.
  void ready(StreamId stream);
  /// Called when a command of the stream has ended.
  void look_behind(StreamId stream);
  /// Examines what may begin because the stream's last command has begun.
  void look_at_next(StreamId stream, Cycle now) {
    if (queues_.next_overlaps(stream)) look_at(stream, now);
  }
  void submit_launch(StreamId stream, Cycle now);
  void submit_copy(StreamId stream, Cycle now);
  /// Whether nothing can happen to the copy's GPU or its link until the copy, which has just been taken, has ended.
  bool undisturbed(Gpu& gpu, const CopyCommand& copy) const;
  // PendingWork, if contexts take turns (core_pending.cpp).

  /// Notes that the launches in the application's streams may have changed.
  void doubt(ApplicationId application);
  /// Whether the application's streams hold further launches. `anew`: only those behind kernels in flight; unblocked
  /// launches are on their way and announce themselves on arrival.
  bool holds_next(ApplicationId application, bool anew) const;
  bool stream_holds_next(StreamId stream, bool anew) const;
  void say_what_is_pending(Gpu& gpu, Cycle now);

  void complete(KernelLaunch& kernel, Cycle now);
  void complete(Copy& copy, Cycle now);
  // Criticality (core_modes.cpp).

  std::optional<std::uint32_t> job_of(const HostCall& command) const;
  /// Records the release of the job.
  void note_under_way(std::optional<std::uint32_t> job);
  /// Whether the unblocked command is skipped, since its job does not overrun or is dropped. Otherwise it goes to the GPU,
  /// and changes the mode if it is beyond its job's budget.
  bool is_passed_over(const HostCall& command, Cycle now);
  bool is_dropped(const JobSpec& job) const;
  /// Ends the head of the stream without executing it.
  void pass_over(StreamId stream, const HostCall& command, Cycle now);
  void enter_hi_mode(std::uint32_t job, Cycle now);
  /// Whether a job should have been released before, but its thread has not reached it.
  bool has_overdue_job(std::size_t thread, Cycle now) const;
  /// Returns to mode lo if no job is active or should be.
  void leave_hi_mode_when_idle(Cycle now);

  /// Called when a command has begun that may be part of a job.
  void begin_job(std::optional<std::uint32_t> job, Cycle released);
  void end_of_job(std::optional<std::uint32_t> job, std::uint32_t iteration, Cycle now);
  /// Called when a completed call or a command of the application has ended.
  void end_one(ApplicationId application, Cycle now);
  void launch_again(ApplicationId application, Cycle now);
  /// Starts the next phase that has launches, if the current one has ended.
  void pass_ended_phases(Cycle now);

  HostConfig config_;
  const Workload& workload_;
  Clock clock_;
  ItemSource<KernelLaunch>& source_;
  ItemSource<Copy>& copy_source_;
  ItemSource<PendingWork>& word_source_;
  TurnTaking turns_;
  std::vector<ThreadSpec> specs_;
  std::vector<Thread> threads_;
  Streams queues_;
  std::vector<Stream> streams_;
  std::vector<Application> applications_;
  std::vector<Job> jobs_;
  std::vector<Barrier> barriers_;
  std::vector<std::vector<std::uint32_t>> barriers_of_;  ///< barriers of each thread
  std::vector<std::vector<std::size_t>> threads_of_;     ///< threads of each application
  using Due = std::pair<Cycle, std::size_t>;
  /// Due times of threads' calls, including outdated entries.
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> delays_;  ///< end of the delay of each stream's head
  std::vector<Waiting> for_stream_, for_device_;  ///< threads that wait for a stream, or for all of an application's
  std::vector<Waiting> for_event_;                ///< streams that wait for an event
  std::vector<Waiting> hosts_for_event_;          ///< threads that wait for an event
  Rounds threads_to_look_at_, streams_to_look_at_;
  std::vector<std::uint32_t> launched_, copied_;  ///< times that each launch and copy has been put into its stream
  unsigned most_in_flight_;                       ///< maximum number of kernels of an application in flight
  KernelId next_id_;                              ///< the next id for a relaunch
  AccessPolicies access_policies_;
  bool has_modes_;                        ///< jobs may overrun
  bool hi_mode_ = false;                  ///< a job has overrun
  std::vector<std::uint32_t> under_way_;  ///< jobs in progress, with modes
  std::vector<std::size_t> phase_sizes_;  ///< launches of each phase
  std::size_t phase_ = 0;
  std::size_t left_in_phase_ = 0;
  Cycle phase_start_ = 0;
  std::size_t ended_ = 0;  ///< launches that have ended for the first time
  std::size_t awaited_;    ///< number of ends of launches, copies and loops for which the run waits
  RunEnd run_end_;
  std::vector<unsigned> gpu_of_application_;
  std::deque<Gpu> gpus_;
  bool link_is_shared_;  ///< several GPUs copy over one link
};

}  // namespace gputlm
