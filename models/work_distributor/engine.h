/// The execution engine, as the applications see it: their contexts (context.h), and whose turn it is, as the policy of
/// the application decision has it (application.h). A turn ends by time or with the context's work; then no more blocks
/// of it are sent, and the next context has its turn when those that run have ended.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/work_distributor/application.h"
#include "models/work_distributor/context.h"
#include "tlm/counters.h"
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

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = EngineStatistics;
    v.counter(&S::slices, "slices", "slices", "of the execution engine that the application has had");
    v.counter(&S::on_cycles, "on_cycles", "core cycles", "of these slices, in which blocks could be sent");
    v.counter(&S::switch_cycles, "switch_cycles", "core cycles", "from the end of a slice until its blocks were gone");
  }
};

/// A context has left the engine, or its next slice begins at once.
struct SliceEnded {
  ApplicationId application = 0;
  Cycle start = 0;
  Cycle end = 0;         ///< no more blocks were sent
  Cycle off = 0;         ///< none was left
  bool by_time = false;  ///< else no work was left
};

class ExecutionEngine {
 public:
  /// `config` must outlive the engine. Throws InputError for names of policies that there are not.
  ExecutionEngine(const WorkDistributorConfig& config, const SmLimits& sm, unsigned sms,
                  const Applications& applications);

  /// Of contexts that have left. Noted where contexts are told apart.
  Tap<SliceEnded> slices;

  std::size_t contexts() const { return contexts_.size(); }
  Context& context(std::size_t index) { return *contexts_[index]; }
  const Context& context(std::size_t index) const { return *contexts_[index]; }
  Context& context_of(ApplicationId application) { return *contexts_[one_context_ ? 0 : application]; }
  /// Its kernels may have blocks sent.
  bool on(std::size_t index) const { return together_ || (state_ == State::kOn && index == owner_); }

  /// The context of the application may have got work, or lost its last.
  void work_changed(ApplicationId application, Cycle now);
  /// When a slice ends by time; kNever if none does.
  Cycle next() const { return state_ == State::kOn ? until_ : kNever; }
  /// Goes on to the next turn as far as that is possible at `now`; whether a context has come onto the engine.
  bool take_turns(Cycle now);

  /// By application; empty where all are one context.
  const std::vector<EngineStatistics>& statistics() const { return statistics_; }
  void count(PolicyTally& tally) const;

 private:
  enum class State : std::uint8_t {
    kFree,
    kOn,
    kLeaving,  ///< no more blocks are sent, some still run
  };

  bool somebody_has_work() const;
  void begin(const Turn& turn, Cycle now);
  void end_slice(ApplicationId application, Cycle end, Cycle off, bool by_time);

  const WorkDistributorConfig& config_;
  std::unique_ptr<ApplicationPolicy> policy_;
  bool one_context_, together_;
  std::vector<std::unique_ptr<Context>> contexts_;
  std::vector<Channel> channels_;  ///< by application
  std::vector<Cycle> starts_;      ///< of the slices that go on, by application
  std::vector<EngineStatistics> statistics_;
  State state_ = State::kFree;
  ApplicationId owner_ = 0;
  Cycle until_ = kNever;
  Turn successor_;        ///< while the owner is leaving
  Cycle left_since_ = 0;  ///< likewise
};

}  // namespace gputlm
