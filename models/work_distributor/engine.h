/// The execution engine as the applications see it: their contexts (context.h), and whose turn it is according to the policy
/// of the application decision (application.h). A turn ends by time or with the context's work; then no more blocks
/// of it are sent, and the next context has its turn when the running ones have ended or have been taken off the SMs.
///
/// A context has work while its kernels are in flight, from the arrival of a launch on, and while the host says that more
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

/// What the work distributor is told about the applications of a workload.
struct Applications {
  std::vector<EngineShare> shares = {};  ///< indexed by application
  Clock clock{1};                        ///< clock of the work distributor
};

/// Statistics of an application on the engine.
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
  Cycle come = 0;        ///< cycle in which its blocks began to be brought back
  Cycle start = 0;       ///< cycle in which they were back, and blocks could be sent
  Cycle end = 0;         ///< cycle from which no more were sent
  Cycle off = 0;         ///< cycle in which none was left on the SMs
  bool by_time = false;  ///< the slice ended by time; otherwise no work was left
  std::uint64_t resumed_blocks = 0, preempted_blocks = 0;
  Bytes restored_bytes = 0, saved_bytes = 0;
  Cycle known = 0;  ///< when the engine noticed: later than `off` if slices followed each other and no context waited
};

class ExecutionEngine {
 public:
  /// `config` must outlive the engine. `gpcs`: SMs of each GPC. Throws InputError for unknown names of policies.
  ExecutionEngine(const WorkDistributorConfig& config, const SmLimits& sm, unsigned sms,
                  const Applications& applications, std::vector<SmSet> gpcs);

  /// Slices of contexts that have left. No events if all applications are in one context.
  Tap<SliceEnded> slices;

  std::size_t contexts() const { return contexts_.size(); }
  Context& context(std::size_t index) { return *contexts_[index]; }
  const Context& context(std::size_t index) const { return *contexts_[index]; }
  std::size_t index_of(ApplicationId application) const { return one_context_ ? 0 : application; }
  Context& context_of(ApplicationId application) { return *contexts_[index_of(application)]; }
  /// Whether all contexts are on it at once.
  bool together() const { return together_; }
  /// Whether blocks of the context's kernels may be sent.
  bool on(std::size_t index) const { return together_ || (state_ == State::kOn && index == owner_); }

  /// The context of the application may have received work, or lost its last.
  void work_changed(ApplicationId application, Cycle now);
  /// A launch for it has arrived, or one that had arrived has been accepted. Like the next, only if contexts take turns.
  void arrived(ApplicationId application, Cycle now) {
    ++backlog_[application].arrived;
    work_changed(application, now);
  }
  void accepted(ApplicationId application) { --backlog_[application].arrived; }
  /// The host holds further launches for it, or no longer does.
  void pending(ApplicationId application, bool pending, Cycle now) {
    backlog_[application].pending = pending;
    work_changed(application, now);
  }
  /// Whether blocks may be taken off the SMs.
  bool preempts() const { return preempts_; }
  bool learns_switches() const { return preempts_ && policy_->learns_switches(); }
  /// Cycle in which a slice ends by time for another context, or in which a context has been loaded; kNever if there is none.
  Cycle next() const {
    if (state_ == State::kExchanging) return until_;
    return state_ == State::kOn && working_ > channels_[owner_].has_work && may_leave() ? until_ : kNever;
  }
  /// Cycle in which a slice ends by time, whether or not another context waits; kNever if none does.
  Cycle slice_end() const { return state_ == State::kOn ? until_ : kNever; }
  /// Whether a slice has ended, and the next one begins when running blocks have gone and its context has been loaded.
  bool between_slices() const { return state_ != State::kFree && state_ != State::kOn; }
  /// What the work distributor must do.
  enum class Change : std::uint8_t {
    kNone,
    kOn,         ///< the owner's blocks may be sent
    kTakeOff,    ///< each SM that has blocks of the owner must take them off
    kBringBack,  ///< each SM that had some when they were taken off must bring them back
  };
  /// Proceeds to the next turn as far as possible at `now`; to be called until nothing changes.
  Change take_turns(Cycle now);
  ApplicationId owner() const { return owner_; }
  /// This many SMs have been told to do what kTakeOff or kBringBack requires.
  void told(unsigned sms) { awaited_ = sms; }
  /// One of them has done it.
  void switched(const ContextSwitch& done);

  /// Statistics of each application; empty if all are in one context.
  const std::vector<EngineStatistics>& statistics() const { return statistics_; }
  void count(PolicyTally& tally) const;

 private:
  enum class State : std::uint8_t {
    kFree,
    kOn,
    kLeaving,     ///< no more blocks are sent, some are still there
    kExchanging,  ///< no blocks are there, and another context is being loaded
    kComing,      ///< blocks are being brought back
  };

  /// What an application holds besides its kernels in flight.
  struct Backlog {
    unsigned arrived = 0;  ///< number of arrived launches that have not been accepted
    bool pending = false;  ///< the host holds further launches
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
  std::vector<Channel> channels_;  ///< indexed by application
  std::vector<Backlog> backlog_;   ///< indexed by application
  std::vector<SliceEnded> going_;  ///< slices that continue, or begin next, indexed by application
  std::vector<EngineStatistics> statistics_;
  State state_ = State::kFree;
  ApplicationId owner_ = 0;
  std::optional<ApplicationId> loaded_;  ///< application whose context is loaded or being loaded
  Turn turn_;                            ///< turn of the owner
  std::size_t working_ = 0;              ///< number of channels with work
  std::uint64_t progress_at_start_ = 0;  ///< progress of the owner's context when its slice began
  bool stuck_ = false;                   ///< no SM has taken off a block that could have continued
  unsigned awaited_ = 0;                 ///< number of SMs that are switching
  Cycle until_ = kNever;
  Turn successor_;        ///< the next turn, while the owner is leaving
  Cycle left_since_ = 0;  ///< cycle since which the owner has been leaving
};

}  // namespace gputlm
