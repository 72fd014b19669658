#include "tlm/module.h"

#include <algorithm>

namespace gputlm {

WindowedModule::WindowedModule(const sc_core::sc_module_name& name, Femtoseconds window)
    : sc_module(name), windows_(window) {
  SC_HAS_PROCESS(WindowedModule);
  SC_METHOD(compute_window);
  sensitive << wake_event_;
  dont_initialize();
}

void WindowedModule::schedule(Femtoseconds at) {
  const Femtoseconds start = std::max(windows_.edge(windows_.at_or_before(at)), computed_until_);
  if (start >= scheduled_) return;
  scheduled_ = start;
  wake_event_.notify(to_sc_time(start - now()));
}

void WindowedModule::compute_window() {
  scheduled_ = kNever;
  if (now() >= end_) return;
  computed_until_ = std::min(now() + windows_.period(), end_);
  try {
    const Femtoseconds next = advance(computed_until_);
    for (Flushable* port : ports_) port->flush();
    wake(next);
  } catch (...) {
    failure_ = std::current_exception();
    throw;
  }
}

}  // namespace gputlm
