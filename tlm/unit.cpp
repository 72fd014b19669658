#include "tlm/unit.h"

#include <algorithm>
#include <stdexcept>

#include "tlm/assembly.h"
#include "tlm/sampler.h"
#include "tlm/window_schedule.h"

namespace gputlm {

Port::Port(Unit& owner, const Link& link) : owner_(owner), link_(link), clock_(owner.clock()) {
  owner.ports_.push_back(this);
}

void Port::pair(Port& initiator, Port& target) {
  const std::string names = initiator.name() + " and " + target.name();
  if (!(initiator.link_ == target.link_)) throw std::logic_error(names + " differ in what their link is");
  if (initiator.link_.latency == 0) throw std::logic_error(names + " are bound by a link that takes no time");
  initiator.foreign_ = target.foreign_ = false;
  initiator.peer_ = &target.owner_;
  target.peer_ = &initiator.owner_;
}

Femtoseconds Port::late(Femtoseconds t) const {
  if (foreign_) return owner_.computed_until();
  throw std::logic_error(name() + ": an arrival at " + to_sc_time(t).to_string() +
                         ", in a window that is computed until " + to_sc_time(owner_.computed_until()).to_string());
}

Unit::Unit(const sc_core::sc_module_name& name, const Clock& clock)
    : sc_module(name), clock_(clock), windows_(clock.period()), cycles_(clock.at_or_after(kEndOfTime)) {
  const std::string resolution = sc_core::sc_get_time_resolution().to_string();
  if (resolution != "1 fs") {
    throw std::logic_error("SystemC's time resolution: found " + resolution +
                           ", allowed: 1 fs; call sc_core::sc_set_time_resolution(1, sc_core::SC_FS) before the first "
                           "unit or sc_time is made");
  }
  SC_HAS_PROCESS(Unit);
  SC_METHOD(compute_own_window);
  sensitive << wake_event_;
  dont_initialize();
}

void Unit::before_end_of_elaboration() {
  const Port* nearest = nullptr;
  bool foreign = foreign_peer_;
  for (Port* port : ports_) {
    if (!port->bound()) throw std::logic_error(port->name() + " is not bound");
    port->elaborate();
    if (!nearest || port->link().latency < nearest->link().latency) nearest = port;
    foreign = foreign || port->foreign();
  }
  const Femtoseconds shortest = nearest ? nearest->link().latency : kNever;
  const Femtoseconds hop = assembly_ ? assembly_->step() : shortest;
  if (!foreign && hop > 0 && hop != kNever) {
    windows_ = Clock(hop);
    looks_ahead_ = assembly_ != nullptr;
  }
  if (windows_.period() > shortest) {
    throw std::logic_error("look-ahead window of " + std::string(name()) + ": found " +
                           to_sc_time(windows_.period()).to_string() + (foreign ? ", a cycle" : "") +
                           ", allowed: up to " + to_sc_time(shortest).to_string() + ", the latency of the link of " +
                           nearest->name());
  }
}

void Unit::join(WindowSchedule& schedule, unsigned turn, Femtoseconds& first, Femtoseconds& wanted) {
  schedule_ = &schedule;
  turn_ = turn;
  first_of_group_ = &first;
  wanted_ = &wanted;
}

void Unit::start_of_simulation() {
  started_ = true;
  wake(std::exchange(*wanted_, kNever));
}

void Unit::schedule(Femtoseconds at) {
  at = std::max(at, computed_until_);
  if (started_ && !schedule_) at = std::max(windows_.edge(windows_.at_or_before(at)), computed_until_);
  if (at >= *wanted_) return;
  *wanted_ = at;
  if (!started_) return;  // the window is not known yet
  schedule_ ? schedule_->wanted(at, turn_, *first_of_group_) : wake_event_.notify(to_sc_time(at - now()));
}

void Unit::compute_window(Femtoseconds until) {
  try {
    if (compute_until(until)) flushes_.flush();
  } catch (...) {
    fail(std::current_exception());
  }
}

bool Unit::compute_until(Femtoseconds until) {
  *wanted_ = kNever;
  if (now() >= end_) {
    past_end();
    return false;
  }
  computed_until_ = std::min(until, end_);
  if (sample_at_ < computed_until_) take_samples();
  wake(time_of(compute(clock_.at_or_after(computed_until_))));
  return true;
}

/// The assembly rethrows it: SystemC would pass on only its message.
void Unit::fail(const std::exception_ptr& failure) {
  if (!assembly_ || !assembly_->runs()) std::rethrow_exception(failure);
  failure_ = failure;
  end_ = 0;
  sc_core::sc_pause();
}

void Unit::sample(Sampler& sampler, std::size_t unit, Femtoseconds first) {
  samplings_.push_back({&sampler, unit, first});
  sample_at_ = std::min(sample_at_, first);
}

/// Takes the samples that are due before the end of the window that begins now. Dividing the window there has the effect of
/// a shorter window; while the unit slept, nothing happened.
void Unit::take_samples() {
  while (sample_at_ < computed_until_) {
    const Femtoseconds at = sample_at_;
    if (at > now()) {
      compute(clock_.at_or_after(at));
      flushes_.flush();
    }
    sample_at_ = kNever;
    for (Sampling& sampling : samplings_) {
      if (sampling.next == at) sampling.next = sampling.sampler->reached(sampling.unit, at);
      sample_at_ = std::min(sample_at_, sampling.next);
    }
  }
}

/// Throws if the time has ended. A run by the assembly ends by itself.
void Unit::past_end() const {
  if (now() < kEndOfTime || (assembly_ && assembly_->runs())) return;
  throw std::runtime_error(std::string(name()) + ": simulated time has reached its end, " +
                           to_sc_time(kEndOfTime).to_string());
}

void Unit::stop_at(Femtoseconds at) {
  if (at < computed_until_) throw std::logic_error(std::string(name()) + " is told of the end of the run too late");
  end_ = at;
}

void Unit::end_run(Femtoseconds at) {
  if (end_notice_ == kNever)
    throw std::logic_error(std::string(name()) + " has not said that it tells the end of the run");
  assembly_ ? assembly_->end_run(at) : stop_at(at);
}

}  // namespace gputlm
