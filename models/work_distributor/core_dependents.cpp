/// Programmatic dependent launch (CUDA C++ Programming Guide, "Programmatic Dependent Launch and Synchronization"; PTX ISA,
/// griddepcontrol): a kernel that depends on its predecessor in its stream arrives while the predecessor runs. It is in flight,
/// so its blocks may be sent, when all blocks of the predecessor have ended or let dependents begin; before that, the kernel
/// order ignores it. Its blocks hear of the predecessor's end when the host could: the predecessor's writes are visible then.
#include <algorithm>

#include "models/work_distributor/core.h"

namespace gputlm {

void WorkDistributorCore::allow_signals(ItemSource<GridSignal>& source, const Link& link) {
  signal_source_ = &source;
  for (std::size_t sm = 0; sm < sms_.size(); ++sm) signalling_.emplace_back(link);
}

bool WorkDistributorCore::is_open(KernelId kernel) const {
  return std::find(open_.begin(), open_.end(), kernel) != open_.end();
}

bool WorkDistributorCore::lets_begin(const KernelLaunch& launch, KernelId after) const {
  const auto is_it = [=](const Dependent& d) { return d.launch->identity.kernel == after && !d.begun; };
  if (std::any_of(dependents_.begin(), dependents_.end(), is_it)) return false;
  const KernelState* const kernel = engine_.context(engine_.index_of(launch.identity.application)).in_flight(after);
  return !kernel || (kernel->all_dispatched() && kernel->let_go >= kernel->blocks);
}

void WorkDistributorCore::begin_dependents(Cycle now) {
  for (Dependent& dependent : dependents_) {
    if (dependent.begun || !lets_begin(*dependent.launch, dependent.after)) continue;
    dependent.begun = true;
    admit(*dependent.launch, now);
  }
}

bool WorkDistributorCore::waits_for_grid(const KernelLaunch& launch) const {
  return std::any_of(dependents_.begin(), dependents_.end(), [&](const Dependent& d) { return d.launch == &launch; });
}

/// Tells the blocks of dependent kernels of the end of a kernel, when the host is told of it.
void WorkDistributorCore::tell_dependents(const KernelLaunch& ended, Cycle now) {
  const KernelId kernel = ended.identity.kernel;
  open_.erase(std::find(open_.begin(), open_.end(), kernel));
  // A kernel that does not wait may end before its predecessor.
  const auto is_itself = [&](const Dependent& d) { return d.launch == &ended; };
  dependents_.erase(std::remove_if(dependents_.begin(), dependents_.end(), is_itself), dependents_.end());
  for (const Dependent& dependent : dependents_) {
    if (dependent.after != kernel) continue;
    const Identity& who = dependent.launch->identity;
    const KernelState* const state = engine_.context_of(who.application).in_flight(who.kernel);
    for (unsigned sm = 0; state && sm < sms_.size(); ++sm) {
      if (state->resident[sm] == 0) continue;
      GridSignal& signal = signal_source_->allocate();
      signal.kernel = who.kernel;
      Outbox<GridSignal>& link = signalling_[sm].ended;
      link.send(std::max(now, link.ready_at()), signal);
    }
  }
  const auto follows = [=](const Dependent& d) { return d.after == kernel; };
  dependents_.erase(std::remove_if(dependents_.begin(), dependents_.end(), follows), dependents_.end());
}

Cycle WorkDistributorCore::next_signal() const {
  Cycle next = kNever;
  for (const SignalLink& sm : signalling_) next = std::min({next, sm.let_go.next(), sm.ended_heard.next()});
  return next;
}

void WorkDistributorCore::take_signals(Cycle now) {
  bool heard = false;
  for (SignalLink& sm : signalling_) {
    while (sm.ended_heard.ready(now)) signal_source_->release(sm.ended_heard.pop(now));
    while (sm.let_go.ready(now)) {
      GridSignal& signal = sm.let_go.pop(now);
      for (std::size_t c = 0; c < engine_.contexts(); ++c) engine_.context(c).let_go(signal.kernel);
      sm.let_go_heard.send(std::max(now, sm.let_go_heard.ready_at()), signal);
      heard = true;
    }
  }
  if (heard) begin_dependents(now);
}

}  // namespace gputlm
