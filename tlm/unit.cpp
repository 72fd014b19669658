#include "tlm/unit.h"

#include <algorithm>
#include <stdexcept>

#include "tlm/assembly.h"

namespace gputlm {

Port::Port(Unit& owner, const Link& link) : owner_(owner), link_(link), clock_(owner.clock()) {
  owner.add(*this);
  owner.ports_.push_back(this);
}

void Port::pair(Port& initiator, Port& target) {
  const std::string names = initiator.name() + " and " + target.name();
  if (!(initiator.link_ == target.link_)) throw std::logic_error(names + " differ in what their link is");
  if (initiator.link_.latency == 0) throw std::logic_error(names + " are bound by a link that takes no time");
  initiator.foreign_ = target.foreign_ = false;
}

Femtoseconds Port::late(Femtoseconds t) const {
  if (foreign_) return owner_.computed_until();
  throw std::logic_error(name() + ": an arrival at " + to_sc_time(t).to_string() +
                         ", in a window that is computed until " + to_sc_time(owner_.computed_until()).to_string());
}

Unit::Unit(const sc_core::sc_module_name& name, const Clock& clock)
    : sc_module(name), clock_(clock), windows_(clock.period()) {
  SC_HAS_PROCESS(Unit);
  SC_METHOD(compute_window);
  sensitive << wake_event_;
  dont_initialize();
}

void Unit::before_end_of_elaboration() {
  Femtoseconds shortest = kNever;
  bool foreign = false;
  for (Port* port : ports_) {
    if (!port->bound()) throw std::logic_error(port->name() + " is not bound");
    port->elaborate();
    shortest = std::min(shortest, port->link().latency);
    foreign = foreign || port->foreign();
  }
  const Femtoseconds hop = assembly_ ? assembly_->window() : shortest;
  windows_ = Clock(foreign || hop == kNever ? clock_.period() : hop);
  if (windows_.period() > shortest) {
    throw std::logic_error(std::string(name()) + " has a hop of " + to_sc_time(shortest).to_string() +
                           ", shorter than its look-ahead window of " + to_sc_time(windows_.period()).to_string());
  }
}

void Unit::start_of_simulation() {
  started_ = true;
  const Femtoseconds wanted = scheduled_;
  scheduled_ = kNever;
  wake(wanted);
}

void Unit::schedule(Femtoseconds at) {
  if (!started_) {  // the window is not known yet
    scheduled_ = at;
    return;
  }
  const Femtoseconds start = std::max(windows_.edge(windows_.at_or_before(at)), computed_until_);
  if (start >= scheduled_) return;
  scheduled_ = start;
  wake_event_.notify(to_sc_time(start - now()));
}

void Unit::compute_window() {
  scheduled_ = kNever;
  if (now() >= end_) return;
  computed_until_ = std::min(now() + windows_.period(), end_);
  try {
    const Cycle next = compute(clock_.at_or_after(computed_until_));
    flush();
    wake(clock_.edge(next));
  } catch (...) {
    if (!assembly_) throw;
    failure_ = std::current_exception();
    end_ = 0;
    sc_core::sc_pause();  // the assembly rethrows it: SystemC would pass on no more than its message
  }
}

void Unit::stop_at(Femtoseconds at) {
  if (at < computed_until_) throw std::logic_error(std::string(name()) + " is told of the end of the run too late");
  end_ = at;
}

void Unit::end_run(Femtoseconds at) { assembly_ ? assembly_->stop_at(at) : stop_at(at); }

}  // namespace gputlm
