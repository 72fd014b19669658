#include "models/work_distributor/engine.h"

#include <algorithm>

#include "tlm/counter_table.h"

namespace gputlm {

ExecutionEngine::ExecutionEngine(const WorkDistributorConfig& config, const SmLimits& sm, unsigned sms,
                                 const Applications& applications)
    : config_(config), policy_(make_application_policy(config.application, {applications.shares, sms, sm.threads,
                                                                            applications.clock, config.options})),
      one_context_(application_policies().at(config.application).has(Property::kOneContext)),
      together_(policy_->together()) {
  const std::size_t count = context_count(config.application, applications.shares.size());
  for (std::size_t a = 0; a < count; ++a) {
    contexts_.push_back(std::make_unique<Context>(config, sm, sms, policy_->limits(static_cast<ApplicationId>(a))));
  }
  if (one_context_) return;
  channels_.resize(count);
  starts_.resize(count);
  statistics_.resize(count);
}

void ExecutionEngine::work_changed(ApplicationId application, Cycle now) {
  if (one_context_) return;
  Channel& channel = channels_[application];
  const bool has_work = contexts_[application]->has_work();
  if (has_work == channel.has_work) return;
  channel = {has_work, now};
  if (!together_) return;
  if (has_work) {
    starts_[application] = now;
  } else {
    end_slice(application, now, now, false);
  }
}

bool ExecutionEngine::take_turns(Cycle now) {
  if (together_) return false;
  bool came = false;
  if (state_ == State::kOn && !channels_[owner_].has_work) {
    end_slice(owner_, now, now, false);
    state_ = State::kFree;
  } else if (state_ == State::kOn && now >= until_) {
    const Turn turn = policy_->next(channels_);
    if (turn.application == owner_) {
      end_slice(owner_, now, now, true);
      begin(turn, now);
    } else {
      successor_ = turn;
      left_since_ = now;
      state_ = State::kLeaving;
    }
  }
  if (state_ == State::kLeaving && contexts_[owner_]->outstanding() == 0) {
    end_slice(owner_, left_since_, now, true);
    begin(successor_, now);
    came = true;
  }
  if (state_ == State::kFree && somebody_has_work()) {
    begin(policy_->next(channels_), now);
    came = true;
  }
  return came;
}

bool ExecutionEngine::somebody_has_work() const {
  return std::any_of(channels_.begin(), channels_.end(), [](const Channel& channel) { return channel.has_work; });
}

void ExecutionEngine::begin(const Turn& turn, Cycle now) {
  state_ = State::kOn;
  owner_ = turn.application;
  until_ = turn.length == kNever ? kNever : now + turn.length;
  starts_[owner_] = now;
}

void ExecutionEngine::end_slice(ApplicationId application, Cycle end, Cycle off, bool by_time) {
  EngineStatistics& statistics = statistics_[application];
  ++statistics.slices;
  statistics.on_cycles += end - starts_[application];
  statistics.switch_cycles += off - end;
  if (slices.watched()) slices.note({application, starts_[application], end, off, by_time});
}

void ExecutionEngine::count(PolicyTally& tally) const {
  policy_->count(tally.of(application_policies(), config_.application));
  for (const auto& context : contexts_) {
    context->count_order(tally.of(kernel_orders(), config_.kernel_order));
    context->count_placement(tally.of(placements(), config_.placement));
  }
  tally.of(sm_orders(), config_.sm_order);
}

GPUTLM_REGISTER { add_counter_table<EngineStatistics>("execution engine", "applications.engine", 15); }

}  // namespace gputlm
