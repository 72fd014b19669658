#include "models/work_distributor/engine.h"

#include <algorithm>
#include <utility>

#include "tlm/counter_table.h"

namespace gputlm {

ExecutionEngine::ExecutionEngine(const WorkDistributorConfig& config, const SmLimits& sm, unsigned sms,
                                 const Applications& applications, std::vector<SmSet> gpcs)
    : config_(config), gpcs_(std::move(gpcs)),
      policy_(make_application_policy(config.application,
                                      {applications.shares, sms, sm.threads, applications.clock, config.options})),
      one_context_(application_policies().at(config.application).has(Property::kOneContext)),
      together_(policy_->together()), preempts_(!together_ && policy_->preempts_instructions()) {
  const std::size_t count = context_count(config.application, applications.shares.size());
  for (std::size_t a = 0; a < count; ++a) {
    contexts_.push_back(
        std::make_unique<Context>(config, sm, sms, policy_->limits(static_cast<ApplicationId>(a)), gpcs_));
  }
  if (one_context_) return;
  channels_.resize(count);
  backlog_.resize(count);
  for (std::size_t a = 0; a < count; ++a) going_.push_back({static_cast<ApplicationId>(a)});
  statistics_.resize(count);
}

void ExecutionEngine::work_changed(ApplicationId application, Cycle now) {
  if (one_context_) return;
  Channel& channel = channels_[application];
  const Backlog& backlog = backlog_[application];
  const bool has_work = contexts_[application]->has_work() || backlog.arrived > 0 || backlog.pending;
  if (has_work == channel.has_work) return;
  channel = {has_work, now};
  has_work ? ++working_ : --working_;
  if (!together_) return;
  if (has_work) {
    going_[application].come = going_[application].start = now;
  } else {
    end_slice(application, now, now, false, now);
  }
}

ExecutionEngine::Change ExecutionEngine::take_turns(Cycle now) {
  if (together_) return Change::kNone;
  if (state_ == State::kOn) pass_slices_alone(now);
  if (state_ == State::kOn && !channels_[owner_].has_work) {
    end_slice(owner_, now, now, false, now);
    state_ = State::kFree;
  } else if (state_ == State::kOn && now >= until_ && working_ > 1 && may_leave()) {
    const Turn turn = policy_->next(channels_);
    if (turn.application == owner_) {
      end_slice(owner_, now, now, true, now);
      going_[owner_].come = now;
      start(turn, now);
    } else {
      successor_ = turn;
      left_since_ = now;
      state_ = State::kLeaving;
      if (preempts_) {
        contexts_[owner_]->stop(now);
        stuck_ = true;
        return Change::kTakeOff;
      }
    }
  }
  if (state_ == State::kLeaving && awaited_ == 0 && contexts_[owner_]->running() == 0) {
    end_slice(owner_, left_since_, now, true, now);
    rest_if_stuck();
    return come(successor_, now);
  }
  if (state_ == State::kFree && working_ > 0) return come(policy_->next(channels_), now);
  if (state_ == State::kExchanging && now >= until_) return bring(turn_, now);
  if (state_ == State::kComing && awaited_ == 0) {
    contexts_[owner_]->go_on(now);
    start(turn_, now);
    return Change::kOn;
  }
  return Change::kNone;
}

void ExecutionEngine::switched(const ContextSwitch& done) {
  --awaited_;
  SliceEnded& slice = going_[owner_];
  if (done.brings_back) {
    slice.resumed_blocks += done.blocks;
    slice.restored_bytes += done.bytes;
    return;
  }
  slice.preempted_blocks += done.blocks;
  slice.saved_bytes += done.bytes;
  stuck_ = stuck_ && (done.blocks == 0 || done.stuck);
  contexts_[owner_]->taken_off(done.blocks);
}

/// Slices that have ended while no other application had work: nothing had to be done then, so no unit was woken.
void ExecutionEngine::pass_slices_alone(Cycle now) {
  if (until_ >= now) return;
  std::vector<Channel> alone(channels_.size());
  alone[owner_] = {true, channels_[owner_].since};
  while (until_ < now) {
    const Cycle end = until_;
    end_slice(owner_, end, end, true, now);
    going_[owner_].come = end;
    start(policy_->next(alone), end);
  }
}

/// A context that has made no progress in its slice and has no block that can continue gets no further slice until a kernel
/// arrives for it: a deadlock must end in silence, not in switches for ever.
void ExecutionEngine::rest_if_stuck() {
  const Context& context = *contexts_[owner_];
  if (!stuck_ || context.progress() != progress_at_start_ || context.off() == 0) return;
  channels_[owner_].has_work = false;
  --working_;
}

ExecutionEngine::Change ExecutionEngine::come(const Turn& turn, Cycle now) {
  owner_ = turn.application;
  going_[owner_].come = now;
  const bool stays = loaded_ == owner_ || policy_->switch_cycles() == 0;
  loaded_ = owner_;
  if (stays) return bring(turn, now);
  state_ = State::kExchanging;
  turn_ = turn;
  until_ = now + policy_->switch_cycles();
  return Change::kNone;
}

ExecutionEngine::Change ExecutionEngine::bring(const Turn& turn, Cycle now) {
  Context& context = *contexts_[owner_];
  if (context.off() > 0) {
    state_ = State::kComing;
    turn_ = turn;
    return Change::kBringBack;
  }
  if (preempts_) context.go_on(now);
  start(turn, now);
  return Change::kOn;
}

void ExecutionEngine::start(const Turn& turn, Cycle now) {
  state_ = State::kOn;
  progress_at_start_ = contexts_[owner_]->progress();
  until_ = turn.length == kNever ? kNever : now + turn.length;
  going_[owner_].start = now;
}

void ExecutionEngine::end_slice(ApplicationId application, Cycle end, Cycle off, bool by_time, Cycle now) {
  SliceEnded& slice = going_[application];
  slice.end = end;
  slice.off = off;
  slice.by_time = by_time;
  slice.known = now;
  EngineStatistics& statistics = statistics_[application];
  ++statistics.slices;
  statistics.on_cycles += slice.end - slice.start;
  statistics.switch_cycles += slice.start - slice.come + slice.off - slice.end;
  statistics.preempted_blocks += slice.preempted_blocks;
  statistics.resumed_blocks += slice.resumed_blocks;
  statistics.saved_bytes += slice.saved_bytes;
  statistics.restored_bytes += slice.restored_bytes;
  if (slices.watched()) slices.note(slice);
  slice = {application};
}

void ExecutionEngine::count(PolicyTally& tally) const {
  policy_->count(tally.of(application_policies(), config_.application));
  for (const auto& context : contexts_) {
    context->count_order(tally.of(kernel_orders(), config_.kernel_order));
    context->count_placement(tally.of(placements(), config_.placement));
    context->count_cluster_placement(tally.of(cluster_placements(), config_.cluster_placement));
  }
  tally.of(sm_orders(), config_.sm_order);
}

GPUTLM_REGISTER { add_counter_table<EngineStatistics>("execution engine", {"", "", "engine"}); }

}  // namespace gputlm
