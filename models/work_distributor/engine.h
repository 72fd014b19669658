/// The execution engine, as the applications see it: their contexts (context.h), and whose turn it is, as the policy of
/// the application decision has it (application.h). A turn ends by time or with the context's work; then no more blocks
/// of it are sent, and the next context has its turn when those that run have ended, or have been taken off the SMs.
///
/// A context has work while kernels are in flight, from when a launch of it arrives, and while the host says that more
/// are to come: a channel is pending until all that was submitted to it has been taken, so a runlist does not leave it
/// between two kernels of a stream (NVIDIA, open-gpu-doc, dev_pbdma.ref of GV100, "Semaphore switch option": a time slice
/// lasts "until either every channel in the TSG runs out of work or the timeslice expires").
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/work_distributor/application.h"
#include "models/work_distributor/context.h"
#include "tlm/base/counters.h"
#include "tlm/context_switch.h"
#include "tlm/tap.h"

namespace gputlm {

/// What the work distributor is told of the applications of a workload.
struct Applications {
  std::vector<EngineShare> shares = {};  ///< by application
  Clock clock{1};                        ///< of the work distributor
};

/// What became of an application on the engine.
struct EngineStatistics {
  std::uint64_t slices = 0;
  Cycle on_cycles = 0, switch_cycles = 0;
  std::uint64_t preempted_blocks = 0, resumed_blocks = 0;
  Bytes saved_bytes = 0, restored_bytes = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = EngineStatistics;
    v.counter(&S::slices, "slices", "slices", "Slices of the execution engine that the application had");
    v.counter(&S::on_cycles, "on_cycles", "core cycles", "Time in these slices in which blocks could be sent");
    v.counter(&S::switch_cycles, "switch_cycles", "core cycles",
              "Time from the end of a slice until its blocks had left, and until they were back for the next one");
    v.counter(&S::preempted_blocks, "preempted_blocks", "blocks", "Blocks taken off the SMs at the end of a slice");
    v.counter(&S::resumed_blocks, "resumed_blocks", "blocks", "Preempted blocks brought back");
    v.counter(&S::saved_bytes, "saved_bytes", "bytes", "Bytes of the blocks' state, written when they were taken off");
    v.counter(&S::restored_bytes, "restored_bytes", "bytes",
              "Bytes of that state, read when the blocks were brought back");
  }
};

/// A context has left the engine, or its next slice begins at once.
struct SliceEnded {
  ApplicationId application = 0;
  Cycle come = 0;        ///< blocks of it began to be brought back
  Cycle start = 0;       ///< they were back; its blocks could be sent
  Cycle end = 0;         ///< no more were
  Cycle off = 0;         ///< none was left on the SMs
  bool by_time = false;  ///< else no work was left
  std::uint64_t resumed_blocks = 0, preempted_blocks = 0;
  Bytes restored_bytes = 0, saved_bytes = 0;
  Cycle known = 0;  ///< the engine took notice: later than `off` where slices followed each other and no context waited
};

class ExecutionEngine {
 public:
  /// `config` must outlive the engine. `gpcs`: SMs of each. Throws InputError for names of policies that there are not.
  ExecutionEngine(const WorkDistributorConfig& config, const SmLimits& sm, unsigned sms,
                  const Applications& applications, std::vector<SmSet> gpcs);

  /// Of contexts that have left. Noted where contexts are told apart.
  Tap<SliceEnded> slices;

  std::size_t contexts() const { return contexts_.size(); }
  Context& context(std::size_t index) { return *contexts_[index]; }
  const Context& context(std::size_t index) const { return *contexts_[index]; }
  std::size_t index_of(ApplicationId application) const { return one_context_ ? 0 : application; }
  Context& context_of(ApplicationId application) { return *contexts_[index_of(application)]; }
  /// All contexts are on it at once.
  bool together() const { return together_; }
  /// Its kernels may have blocks sent.
  bool on(std::size_t index) const { return together_ || (state_ == State::kOn && index == owner_); }

  /// The context of the application may have got work, or lost its last.
  void work_changed(ApplicationId application, Cycle now);
  /// A launch for it has arrived, or one that had has been accepted. Like the next, only where contexts take turns.
  void arrived(ApplicationId application, Cycle now) {
    ++backlog_[application].arrived;
    work_changed(application, now);
  }
  void accepted(ApplicationId application) { --backlog_[application].arrived; }
  /// The host holds launches for it that come next, or does not any more.
  void pending(ApplicationId application, bool pending, Cycle now) {
    backlog_[application].pending = pending;
    work_changed(application, now);
  }
  /// Blocks may be taken off the SMs.
  bool preempts() const { return preempts_; }
  bool learns_switches() const { return preempts_ && policy_->learns_switches(); }
  /// When a slice ends by time for another context, or its context has come; kNever if none does.
  Cycle next() const {
    if (state_ == State::kExchanging) return until_;
    return state_ == State::kOn && working_ > channels_[owner_].has_work && may_leave() ? until_ : kNever;
  }
  /// When a slice ends by time, whether or not another context waits; kNever if none does.
  Cycle slice_end() const { return state_ == State::kOn ? until_ : kNever; }
  /// A slice has ended, and the next one begins when the blocks that run are gone, and its context has come.
  bool between_slices() const { return state_ != State::kFree && state_ != State::kOn; }
  /// What the work distributor has to do.
  enum class Change : std::uint8_t {
    kNone,
    kOn,         ///< the owner's blocks may be sent
    kTakeOff,    ///< each SM that has blocks of the owner's is to take them off
    kBringBack,  ///< ... that had some when they were taken off is to bring them back
  };
  /// Goes on to the next turn as far as that is possible at `now`; to be called until nothing changes.
  Change take_turns(Cycle now);
  ApplicationId owner() const { return owner_; }
  /// As kTakeOff and kBringBack want it, this many SMs have been told to.
  void told(unsigned sms) { awaited_ = sms; }
  /// One of them has done it.
  void switched(const ContextSwitch& done);

  /// By application; empty where all are one context.
  const std::vector<EngineStatistics>& statistics() const { return statistics_; }
  void count(PolicyTally& tally) const;

 private:
  enum class State : std::uint8_t {
    kFree,
    kOn,
    kLeaving,     ///< no more blocks are sent, some are still there
    kExchanging,  ///< nothing is there, and another context is being loaded
    kComing,      ///< blocks are being brought back
  };

  /// What an application holds beside its kernels in flight.
  struct Backlog {
    unsigned arrived = 0;  ///< launches that have not been accepted
    bool pending = false;  ///< others that come next
  };

  /// Whether no cluster of the owner has been sent in part; the rest of a cluster is sent in any case.
  bool may_leave() const { return !contexts_[owner_]->in_cluster(); }
  void pass_slices_alone(Cycle now);
  void rest_if_stuck();
  Change come(const Turn& turn, Cycle now);
  Change bring(const Turn& turn, Cycle now);
  void start(const Turn& turn, Cycle now);
  void end_slice(ApplicationId application, Cycle end, Cycle off, bool by_time, Cycle now);

  const WorkDistributorConfig& config_;
  const std::vector<SmSet> gpcs_;
  std::unique_ptr<ApplicationPolicy> policy_;
  bool one_context_, together_, preempts_;
  std::vector<std::unique_ptr<Context>> contexts_;
  std::vector<Channel> channels_;  ///< by application
  std::vector<Backlog> backlog_;   ///< by application
  std::vector<SliceEnded> going_;  ///< the slices that go on, or begin next, by application
  std::vector<EngineStatistics> statistics_;
  State state_ = State::kFree;
  ApplicationId owner_ = 0;
  std::optional<ApplicationId> loaded_;  ///< whose context is, or is being
  Turn turn_;                            ///< the owner's
  std::size_t working_ = 0;              ///< channels that have work
  std::uint64_t progress_at_start_ = 0;  ///< of the owner's context, when its slice began
  bool stuck_ = false;                   ///< no SM has taken off a block that could have gone on
  unsigned awaited_ = 0;                 ///< SMs that are switching
  Cycle until_ = kNever;
  Turn successor_;        ///< while the owner is leaving
  Cycle left_since_ = 0;  ///< while the owner is leaving
};

}  // namespace gputlm
