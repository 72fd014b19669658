/// The host: threads make calls, one after the other, which put commands into streams (streams.h); the kernels at the
/// heads of streams go to the work distributor, copies to the copy engines. A thread waits for the release time and the
/// phase of a launch before it makes the call; a phase begins when all launches of the one before have ended. An
/// application that is to be launched again is, whenever all its threads have made their calls and all its commands have
/// ended, until every application has ended once. Threads and streams are looked at when something has happened to them:
/// an event costs what it wakes, however many there are. Plain C++; the module around it is host.h.
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

/// Finds out that the last of what a run waits for is on its way to the host.
class RunEnd {
 public:
  explicit RunEnd(std::size_t awaited) : awaited_(awaited) {}
  /// Before the run: between the host's decision and the end of the run are this many cycles, so that every unit can be
  /// told in time.
  Cycle notice = 1;
  /// In core cycle `at` - 1 the host will know that every launch and copy of the workload has ended once: what happens
  /// from `at` on is no part of the run. Called as soon as the last end is on its way, a hop ahead.
  std::function<void(Cycle at)> on_last;

  void comes(Cycle at) {
    latest_ = std::max(latest_, at);
    if (--awaited_ == 0 && on_last) on_last(latest_ + 1);
  }
  /// One that the host has seen the end of itself.
  void ended(Cycle now) { comes(now + notice); }
  /// The run waits for this many more before it ends.
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
  /// The run waits for its end: of what applications do that are launched again and again, the first time only.
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

/// A host thread has made a call, or has done what stands between two.
struct CallMade {
  std::uint32_t thread = 0;  ///< its place in host_threads()
  std::uint32_t call = 0;    ///< place in ThreadSpec::calls
  /// How often the command had been issued before; of another call, its application launched, or its loop gone through.
  std::uint32_t iteration = 0;
  Cycle begin = 0, end = 0;  ///< for so long it has kept the thread; what that waited for before is no part of a launch
};

/// A launch or copy goes its way: into its stream, to its engine, and the host knows that it has ended.
struct StreamStep {
  enum class Step : std::uint8_t { kIssued, kSubmitted, kEnded };
  Cycle at = 0;
  StreamId stream = 0;
  std::uint32_t command = 0, iteration = 0;  ///< of Workload::launches or, if `copy`, Workload::copies
  bool copy = false;
  Step step = Step::kIssued;
};

/// The GPUs that a host drives: one, or the instances of one. Each has links of its own, so that none waits for another.
struct HostedGpus {
  unsigned count = 1;
  std::vector<unsigned> of_application = {};  ///< its GPU; none: there is one only
  bool share_link = false;                    ///< over which they copy from and to the host
  /// Contexts of applications take turns on each, and are told what their streams hold.
  TurnTaking turns = {};
};

class HostCore {
 public:
  /// `workload` outlives the host. `kernels_in_flight`: as many as the work distributor takes, `of_application` of them
  /// from an application. Ids of kernels are their places in Workload::launches; when launched again, they get the next
  /// free one.
  HostCore(const HostConfig& config, const Workload& workload, const Clock& clock, unsigned kernels_in_flight,
           unsigned of_application, ItemSource<KernelLaunch>& launches, ItemSource<Copy>& copies,
           ItemSource<PendingWork>& words, const HostedGpus& gpus = {});

  // Of each GPU.
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

  /// Kernels that end, in the order in which the host hears of it.
  Tap<KernelEnded> kernels_ended;
  /// Copies and memsets, likewise.
  Tap<CopyEnded> copies_ended;
  /// Jobs, likewise; after their last commands.
  Tap<JobEnded> jobs_ended;
  /// Jobs that have not begun, and changes of the mode, in order.
  Tap<JobDropped> jobs_dropped;
  Tap<ModeChange> mode_changes;
  /// Calls, in the order of their ends.
  Tap<CallMade> calls_made;
  Tap<StreamStep> stream_steps;

  /// Computes everything strictly before `until` (core cycles); returns the next cycle with work, kNever if only an
  /// arrival makes some.
  Cycle advance(Cycle until);

  /// Every launch and copy of the workload has ended once, every loop for good.
  bool done() const { return awaited_ == 0; }
  /// Launches of the workload that have ended once.
  std::size_t ended() const { return ended_; }
  /// Launches under way, in the order of their streams.
  std::vector<const KernelLaunch*> running() const;
  /// Streams that have not ended and threads that wait for them, for the report of a deadlock.
  std::vector<std::string> waiting() const;

 private:
  struct Thread {
    std::size_t next = 0;     ///< first call that has not been made
    Cycle free_at = 0;        ///< for it; where it is blocked, since when it has been in the call
    bool blocked = false;     ///< in the call `next`, a synchronization,
    bool wants_room = false;  ///< or in one that puts something into a stream that is full,
    std::uint64_t order = 0;  ///< of all commands issued before this place
    bool loops = false;       ///< is in a loop
    Cycle loop = 0;           ///< that began then,
    Cycle iteration = 0;      ///< and its iteration then,
    std::uint32_t count = 0;  ///< after this many others
    Cycle listed = kNever;    ///< is in due_ for that cycle
  };
  /// Threads or streams that wait for the same: when it may be there they are looked at, and wait again if it is not.
  using Waiting = std::vector<std::size_t>;
  /// Where several threads wait for each other.
  struct Barrier {
    struct Member {
      std::size_t thread;
      std::size_t last;  ///< call after which it does not come here any more
    };
    std::vector<Member> members;
  };
  struct Stream {
    std::size_t launches = 0;  ///< in an iteration
    std::size_t ended = 0;     ///< of them, in this iteration
    bool let_go = false;       ///< nothing holds its head: its delay runs, or it is in ready_launches or ready_copies
    bool delays = false;       ///< it does
    bool follows = false;      ///< its head was there when the command before it, a launch, ended
    std::vector<const KernelLaunch*> running = {};  ///< several where one overlaps another
    std::vector<const Copy*> copying = {};
  };
  struct Job {
    std::size_t commands = 0;
    std::size_t left = 0;     ///< of them, that have not ended in this iteration
    Cycle released = kNever;  ///< in this iteration; kNever if its thread has not come to it
    // Where there are modes.
    bool under_way = false;   ///< released, and not ended
    bool begun = false;       ///< one of its commands could go to the GPU
    bool dropped = false;     ///< or none will
    bool in_hi_mode = false;  ///< at some time while it was under way
  };
  struct Application {
    std::size_t calls = 0;        ///< of all its threads
    std::size_t left = 0;         ///< of them and their commands, that have not ended in this iteration
    std::uint32_t iteration = 0;  ///< how often it has been launched again
    Cycle start = 0;              ///< of this iteration
    unsigned in_flight = 0;       ///< kernels
    bool said = false;            ///< what its GPU knows: its streams hold launches that come next
    bool in_doubt = false;        ///< that may have changed
  };

  /// What goes to a GPU, and comes from there.
  struct Gpu {
    Gpu(const HostCore& host, unsigned kernels_in_flight, RunEnd& run_end);
    ReadyStreams ready_launches, ready_copies;
    Outbox<KernelLaunch> launches;
    Ends<KernelLaunch> completions;
    Outbox<Copy> copies;
    Ends<Copy> copy_ends;
    Outbox<PendingWork> words;
    Inbox<PendingWork> words_heard;
    std::vector<ApplicationId> in_doubt;  ///< applications, of which words may have to be said
    std::size_t under_way = 0;            ///< launches and copies
    std::size_t due = 0;                  ///< threads that make a call, and commands whose delay ends, whatever happens
  };
  Gpu& of(ApplicationId application) { return gpus_[gpu_of(application)]; }

  const HostCall& call(std::size_t thread) const { return specs_[thread].calls[threads_[thread].next]; }
  /// Cycle with work, as far as is known now.
  Cycle next();
  /// Cycle at which the thread's next call has been made; kNever if it waits for something else.
  Cycle due(std::size_t thread) const;
  /// The thread's next call may have become due at another time.
  void list(std::size_t thread);
  void note_due(std::size_t thread, Cycle at);
  /// The earliest cycle at which a call is due.
  Cycle first_due();
  /// From when release times of the thread's calls count: the start of its loop's iteration, of its application's latest
  /// launch, or of the phase.
  Cycle start(std::size_t thread) const;
  /// Threads make their calls, a call each in turn, and streams do what needs no engine, as far as all that goes at
  /// `now`.
  void settle(Cycle now);
  /// Threads whose calls are due take part.
  void take_due(Cycle now);
  void make_call(std::size_t thread, Cycle now);
  /// The call is made, whose command has room in its stream.
  void carry_out(std::size_t thread, Cycle begin, Cycle now);
  bool has_room(StreamId stream) const {
    return config_.launch_queue == 0 || queues_.under_way(stream) < config_.launch_queue;
  }
  void note(StreamStep::Step step, const HostCall& command, std::uint32_t iteration, Cycle now);
  /// The thread goes on with its next call.
  void end_call(std::size_t thread, Cycle begin, Cycle now);
  void note_call(std::size_t thread, Cycle begin, Cycle now);
  void unblock(std::size_t thread, Cycle now);
  static void wake(Rounds& rounds, Waiting& waiting);
  /// The thread has come to a barrier, or past one: that may be complete.
  void wake_barriers_of(std::size_t thread);
  /// Puts the command of the thread's call into its stream.
  void issue(std::size_t thread, Cycle now);
  /// Begins the next iteration of the loop that ends with the thread's call, and returns true, or ends it.
  bool repeat(std::size_t thread, Cycle now);
  void join_barrier(std::size_t thread, std::uint32_t barrier, std::size_t call);
  bool arrived(const Barrier::Member& member, std::uint32_t barrier) const;
  /// All that can still come to the barrier have.
  bool all_have_come(std::uint32_t barrier) const;
  void open_barrier(std::uint32_t barrier, Cycle now);
  /// The stream does what it can without an engine; nothing but its delay holds its head any more, if that can go to one.
  void look_at(StreamId stream, Cycle now);
  Femtoseconds delay_of(const HostCall& command) const;
  void begin_delay(StreamId stream, Femtoseconds delay, Cycle now);
  void end_delays(Cycle now);
  /// The stream's head may go to its engine.
  void ready(StreamId stream);
  /// A command of the stream has ended.
  void look_behind(StreamId stream);
  /// What may begin because the stream's last command has begun.
  void look_at_next(StreamId stream, Cycle now) {
    if (queues_.next_overlaps(stream)) look_at(stream, now);
  }
  void submit_launch(StreamId stream, Cycle now);
  void submit_copy(StreamId stream, Cycle now);
  /// Nothing can happen to the copy's GPU, nor to the link to it, until the copy has ended, which has just been taken.
  bool undisturbed(Gpu& gpu, const CopyCommand& copy) const;
  // Of what the GPU is told where contexts take turns (core_pending.cpp).

  /// The application's streams may hold other launches than before.
  void doubt(ApplicationId application);
  /// Launches that the application's streams hold come next. `anew`: behind kernels in flight; what nothing holds is on
  /// its way, and speaks for itself when it arrives.
  bool holds_next(ApplicationId application, bool anew) const;
  bool stream_holds_next(StreamId stream, bool anew) const;
  void say_what_is_pending(Gpu& gpu, Cycle now);

  void complete(KernelLaunch& kernel, Cycle now);
  void complete(Copy& copy, Cycle now);
  // Of criticality (core_modes.cpp).

  std::optional<std::uint32_t> job_of(const HostCall& command) const;
  /// The job has been released.
  void note_under_way(std::optional<std::uint32_t> job);
  /// The command, which nothing holds any more, is not to be made: its job does not overrun, or is dropped. Else it goes to
  /// the GPU, and changes the mode if it is beyond its job's budget.
  bool is_passed_over(const HostCall& command, Cycle now);
  bool is_dropped(const JobSpec& job) const;
  /// The head of the stream ends without having been made.
  void pass_over(StreamId stream, const HostCall& command, Cycle now);
  void enter_hi_mode(std::uint32_t job, Cycle now);
  /// A job should have been released before, but its thread has not come to it.
  bool has_overdue_job(std::size_t thread, Cycle now) const;
  /// Where no job is under way any more, or should be, the mode is lo.
  void leave_hi_mode_when_idle(Cycle now);

  /// A command has begun that is part of the job, if it is part of one.
  void begin_job(std::optional<std::uint32_t> job, Cycle released);
  void end_of_job(std::optional<std::uint32_t> job, std::uint32_t iteration, Cycle now);
  /// A call that needs nothing more, or a command of the application, has ended.
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
  std::vector<std::vector<std::uint32_t>> barriers_of_;  ///< each thread
  std::vector<std::vector<std::size_t>> threads_of_;     ///< each application
  using Due = std::pair<Cycle, std::size_t>;
  /// When which thread's call is due, those that have become due at another time included.
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> delays_;  ///< when that of which stream's head ends
  std::vector<Waiting> for_stream_, for_device_;  ///< threads, for commands of a stream, of all of an application
  std::vector<Waiting> for_event_;                ///< streams
  std::vector<Waiting> hosts_for_event_;          ///< threads
  Rounds threads_to_look_at_, streams_to_look_at_;
  std::vector<std::uint32_t> launched_, copied_;  ///< how often each launch and copy has been put into its stream
  unsigned most_in_flight_;                       ///< kernels of an application
  KernelId next_id_;                              ///< for what is launched again
  AccessPolicies access_policies_;
  bool has_modes_;                        ///< jobs may overrun
  bool hi_mode_ = false;                  ///< one has
  std::vector<std::uint32_t> under_way_;  ///< jobs, where there are modes
  std::vector<std::size_t> phase_sizes_;  ///< launches of each phase
  std::size_t phase_ = 0;
  std::size_t left_in_phase_ = 0;
  Cycle phase_start_ = 0;
  std::size_t ended_ = 0;  ///< launches, the first time
  std::size_t awaited_;    ///< ends of launches, copies and loops that the run waits for
  RunEnd run_end_;
  std::vector<unsigned> gpu_of_application_;
  std::deque<Gpu> gpus_;
  bool link_is_shared_;  ///< several GPUs copy over it
};

}  // namespace gputlm
