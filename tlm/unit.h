/// A unit of the model: a SystemC module that sleeps until it has work, then computes one look-ahead window at a time.
///
/// Simulated time is divided into steps no longer than the shortest hop between two units. A unit computes a window of one
/// step, or of two where its neighbours have computed all but the second (tlm/window_schedule.h). What a unit sends from a
/// window arrives at a time that no unit has computed yet, so each unit can compute its window alone. Results depend
/// neither on the length of the window nor on the order in which units run. An Assembly (tlm/assembly.h) derives the step
/// from its bindings and decides which unit computes when. A unit without an assembly uses the shortest hop of its own
/// ports. A unit with a peer outside the model, which may answer at any time, uses one cycle of its clock. A step longer
/// than one of the unit's hops is an error at elaboration, as is an unbound port.
///
/// SystemC's time resolution is 1 fs: a program calls sc_core::sc_set_time_resolution(1, sc_core::SC_FS) before it makes
/// its first unit or sc_time.
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <systemc>
#include <type_traits>
#include <utility>
#include <vector>

#include "tlm/base/time.h"
#include "tlm/flushable.h"
#include "tlm/link.h"
#include "tlm/tap.h"

namespace gputlm {

class Assembly;
class Report;
class Sampler;
class Unit;
class WindowSchedule;

/// SystemC's time as femtoseconds.
inline Femtoseconds now_fs() { return sc_core::sc_time_stamp().value(); }
/// Femtoseconds as SystemC's time. Writes the number that an sc_time consists of: sc_time::from_value() is a call into the
/// library and writes data that all threads share.
inline sc_core::sc_time to_sc_time(Femtoseconds t) {
  using Ticks = sc_core::sc_time::value_type;
  static_assert(std::is_standard_layout_v<sc_core::sc_time> && sizeof(sc_core::sc_time) == sizeof(Ticks));
  sc_core::sc_time time;
  reinterpret_cast<Ticks&>(time) = t;
  return time;
}

/// One end of a link, as its unit and the assembly see it; tlm/port.h has both kinds. Its peer is foreign, a module outside
/// the model that knows only the base protocol, unless pair() says otherwise.
class Port : public Flushable {
 public:
  Port(const Port&) = delete;
  Port& operator=(const Port&) = delete;

  const Link& link() const { return link_; }
  bool foreign() const { return foreign_; }
  virtual std::string name() const = 0;
  /// Whether a peer has been bound to its socket.
  virtual bool bound() = 0;
  /// Switches to the other list of departures, and returns the number of the list filled so far, 0 or 1. That list must be
  /// delivered before the second next call; meanwhile the unit may compute on another thread.
  virtual unsigned hand_over() = 0;
  /// Calls the peer with all entries of a list. Touches nothing else of the unit.
  virtual void deliver(unsigned list) = 0;
  /// The unit of this port, and the unit at the other end, null if that is foreign.
  Unit& owner() { return owner_; }
  const Unit* peer() const { return peer_; }
  /// Tells the ports at the two ends of a link that their peer is a unit of the model. Throws std::logic_error if they
  /// describe the link differently or it has no latency.
  static void pair(Port& initiator, Port& target);

 protected:
  Port(Unit& owner, const Link& link);

  /// Handles an arrival at `t`, a time that the owner has already computed. A foreign peer may answer at any time, even
  /// within the current cycle, and is heard in the next one. From a unit of the model it is an error: throws
  /// std::logic_error.
  Femtoseconds late(Femtoseconds t) const;

  Unit& owner_;
  Link link_;
  Clock clock_;  ///< clock of the owner
  bool foreign_ = true;

 private:
  friend class Unit;
  /// Called when binding is complete.
  virtual void elaborate() = 0;

  const Unit* peer_ = nullptr;
};

class Unit : public sc_core::sc_module {
 public:
  const Clock& clock() const { return clock_; }
  /// Length of a step, after elaboration; a look-ahead window has one or two steps.
  Femtoseconds step() const { return windows_.period(); }
  /// The current time, without looking up the simulation context: this is on the path of every hop.
  Femtoseconds now() const { return simcontext()->time_stamp().value(); }
  /// Everything before this time has been computed.
  Femtoseconds computed_until() const { return computed_until_; }
  /// Asks for the window that contains `at` to be computed; a time before computed_until() means the next window.
  void wake(Femtoseconds at) {
    if (at < *wanted_) schedule(at);
  }
  /// Computes nothing from `at` on. Throws std::logic_error if it already has.
  void stop_at(Femtoseconds at);

  /// Whether the unit has no work of its own left: a run is complete when all units say so.
  virtual bool done() const { return true; }
  /// What the unit holds and what each waits for, one line each, for the report of a deadlock.
  virtual std::vector<std::string> waiting() const { return {}; }
  /// Adds the unit's counters before cycle `end` of clock(), a time that has been simulated.
  virtual void report(Report& /*report*/, Cycle /*end*/) {}
  /// The exception that compute() or flush() has thrown; null if none. A unit that has thrown computes no more.
  const std::exception_ptr& failure() const { return failure_; }

  /// Adds a member that is flushed after a window in which it has marked itself, in the order of add(). Ports add
  /// themselves.
  void add(Flushable& flushable) { flushes_.add(flushable); }
  /// Whether a Sampler reads its counters (tlm/sampler.h).
  bool sampled() const { return !samplings_.empty(); }
  /// Calls `watcher` with the events of `tap`, one of this unit's, whenever the unit is flushed.
  template <class Event>
  void watch(Tap<Event>& tap, typename Tap<Event>::Watcher watcher) {
    add(tap);
    tap.watch(std::move(watcher));
  }

 protected:
  /// Throws std::logic_error if SystemC's time resolution is not 1 fs.
  Unit(const sc_core::sc_module_name& name, const Clock& clock);

  /// To be called by a unit that has a peer outside the model at a socket that is not a port: it looks ahead one cycle.
  void has_foreign_peer() { foreign_peer_ = true; }

  /// Computes everything strictly before `until`. Returns when there is work next (not before `until`) if nothing
  /// arrives earlier; kNever if only an arrival makes work. In cycles of clock(). Touches no SystemC, no other unit and
  /// no global: what leaves is put into outboxes, which flush() empties.
  virtual Cycle compute(Cycle until) = 0;
  /// To be called in the constructor of a unit that calls end_run(): how long ahead it does so at least. Windows are no
  /// longer.
  void tells_end(Femtoseconds notice) { end_notice_ = notice; }
  /// To be called once `at` is known to be the first time that is not part of the run. Throws std::logic_error if
  /// tells_end() has not been called.
  void end_run(Femtoseconds at);

 private:
  friend class Assembly;
  friend class Port;
  friend class Sampler;
  friend class WindowSchedule;
  /// An observer that is told when everything before `next` has been computed, and returns its next time.
  struct Sampling {
    Sampler* sampler;
    std::size_t unit;  ///< number of the unit there
    Femtoseconds next;
  };

  void before_end_of_elaboration() override;
  void start_of_simulation() override;
  /// Joins `schedule`, with this turn. `first` holds when the unit's group first has work, `wanted` when the unit has;
  /// leave() returns the time requested so far.
  void join(WindowSchedule& schedule, unsigned turn, Femtoseconds& first, Femtoseconds& wanted);
  Femtoseconds leave() { return *std::exchange(wanted_, &own_wanted_); }
  void schedule(Femtoseconds at);
  /// Time of cycle `n`; kEndOfTime if that is later.
  Femtoseconds time_of(Cycle n) const { return n < cycles_ ? clock_.edge(n) : n == kNever ? kNever : kEndOfTime; }
  void compute_own_window() { compute_window(now() + windows_.period()); }
  /// Computes the window from now to `until`, and flushes.
  void compute_window(Femtoseconds until);
  /// Computes it without flushing; false if the unit had already ended.
  bool compute_until(Femtoseconds until);
  void past_end() const;
  void fail(const std::exception_ptr& failure);
  void sample(Sampler& sampler, std::size_t unit, Femtoseconds first);
  void take_samples();

  Clock clock_;
  Clock windows_;  ///< its steps, which are its windows if it is in no schedule: n begins at edge n
  Cycle cycles_;   ///< number of cycles before kEndOfTime
  Femtoseconds computed_until_ = 0;
  Femtoseconds* wanted_ =
      &own_wanted_;  ///< when it has work; for a unit outside a schedule, the beginning of its window
  Femtoseconds end_ = kEndOfTime;
  Femtoseconds sample_at_ = kNever;   ///< first time of `samplings_`
  Femtoseconds end_notice_ = kNever;  ///< how far ahead it announces the end of the run; kNever: it does not
  Femtoseconds own_wanted_ = kNever;
  sc_core::sc_event wake_event_;
  FlushList flushes_;
  std::vector<Port*> ports_;
  std::vector<Sampling> samplings_;
  Assembly* assembly_ = nullptr;
  WindowSchedule* schedule_ = nullptr;
  unsigned turn_ = 0;
  Femtoseconds* first_of_group_ = nullptr;  ///< in the schedule: time at which the first unit of its group has work
  std::exception_ptr failure_;
  bool started_ = false;
  bool foreign_peer_ = false;
  bool looks_ahead_ = false;  ///< it looks ahead as far as the other units of its assembly
};

}  // namespace gputlm
