/// The shell around every unit: a SystemC module that sleeps until it has work and then computes one look-ahead
/// window at a time.
///
/// Simulated time is cut into windows no longer than the shortest hop between two units. What a unit sends while it
/// computes a window arrives in a later window, so each unit can compute its window alone; the results do not depend
/// on the length of the window, nor on the order in which units run.
#pragma once

#include <cassert>
#include <exception>
#include <systemc>
#include <vector>

#include "tlm/time.h"

namespace gputlm {

/// SystemC's time as femtoseconds; the time resolution is 1 fs (set by the platform before elaboration).
inline Femtoseconds now_fs() { return sc_core::sc_time_stamp().value(); }
inline sc_core::sc_time to_sc_time(Femtoseconds t) { return sc_core::sc_time::from_value(t); }

/// What a module sends at the end of each window.
class Flushable {
 public:
  virtual ~Flushable() = default;
  virtual void flush() = 0;
};

class WindowedModule : public sc_core::sc_module {
 public:
  /// Asks for the window that contains `at` to be computed. A time inside a window that is already computed (only a
  /// peer outside the model can name one) means the next window.
  void wake(Femtoseconds at) {
    if (at < scheduled_) schedule(at);
  }
  /// Now, without a look-up of the simulation context: this is on every hop's path.
  Femtoseconds now() const { return simcontext()->time_stamp().value(); }
  /// Everything before this time has been computed.
  Femtoseconds computed_until() const { return computed_until_; }
  /// The run ends: nothing from `at` on is computed. To be told while nothing from there on has been.
  void stop_at(Femtoseconds at) {
    assert(at >= computed_until_);
    end_ = at;
  }
  /// What ended the simulation, if a unit threw: SystemC passes on no more than its message. One simulation a process.
  static const std::exception_ptr& failure() { return failure_; }
  /// Ports register themselves.
  void add_port(Flushable& port) { ports_.push_back(&port); }

 protected:
  /// `window`: length of a look-ahead window.
  WindowedModule(const sc_core::sc_module_name& name, Femtoseconds window);
  /// Computes everything strictly before `until`. Returns when there is work next (not before `until`) if nothing
  /// arrives earlier; kNever if only an arrival makes work.
  virtual Femtoseconds advance(Femtoseconds until) = 0;

 private:
  void schedule(Femtoseconds at);
  void compute_window();

  static inline std::exception_ptr failure_;
  Clock windows_;  ///< window n begins at edge n
  Femtoseconds computed_until_ = 0;
  Femtoseconds scheduled_ = kNever;
  Femtoseconds end_ = kNever;
  sc_core::sc_event wake_event_;
  std::vector<Flushable*> ports_;
};

}  // namespace gputlm
