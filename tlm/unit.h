/// A unit of the model: a SystemC module that sleeps until it has work and then computes one look-ahead window at a
/// time.
///
/// Simulated time is cut into steps no longer than the shortest hop between two units, and a unit computes a window of one
/// step, or of two where its neighbours have computed all but the second (tlm/window_schedule.h). What a unit sends
/// while it computes a window arrives where no unit has computed yet, so each unit can compute its window alone; the
/// results do not depend on the length of the window, nor on the order in which units run. An Assembly (tlm/assembly.h)
/// finds the step from what it has bound, and decides who computes when. A unit without one takes the shortest hop of its
/// own ports; a unit with a peer outside the model, which may answer at any time, takes one cycle of its clock. A step
/// longer than one of its hops is an error when the simulation is elaborated, as is a port that is not bound.
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

#include "tlm/flushable.h"
#include "tlm/link.h"
#include "tlm/tap.h"
#include "tlm/time.h"

namespace gputlm {

class Assembly;
class Report;
class Sampler;
class Unit;
class WindowSchedule;

/// SystemC's time as femtoseconds.
inline Femtoseconds now_fs() { return sc_core::sc_time_stamp().value(); }
/// Femtoseconds as SystemC's time. Writes the number that an sc_time consists of: sc_time::from_value() is a call into the
/// library, and writes what all threads share.
inline sc_core::sc_time to_sc_time(Femtoseconds t) {
  using Ticks = sc_core::sc_time::value_type;
  static_assert(std::is_standard_layout_v<sc_core::sc_time> && sizeof(sc_core::sc_time) == sizeof(Ticks));
  sc_core::sc_time time;
  reinterpret_cast<Ticks&>(time) = t;
  return time;
}

/// One end of a link, as its unit and the assembly see it; tlm/port.h has both kinds. Its peer is foreign, a module
/// outside the model that knows the base protocol only, unless pair() says otherwise.
class Port : public Flushable {
 public:
  Port(const Port&) = delete;
  Port& operator=(const Port&) = delete;

  const Link& link() const { return link_; }
  bool foreign() const { return foreign_; }
  virtual std::string name() const = 0;
  /// A peer has been bound to its socket.
  virtual bool bound() = 0;
  /// Lists what leaves from now on apart from what has left before, and returns the list of that: 0 or 1. It is to be
  /// delivered before this is called twice more; meanwhile the unit may compute, on another thread.
  virtual unsigned hand_over() = 0;
  /// Calls the peer with all that is in a list. Touches nothing else of the unit.
  virtual void deliver(unsigned list) = 0;
  /// Whose port this is; and whose port is at the other end, null if it is foreign.
  Unit& owner() { return owner_; }
  const Unit* peer() const { return peer_; }
  /// To be called for the ports at the two ends of a link: each learns that its peer is a unit of the model. Throws
  /// std::logic_error if they describe the link differently, or if it takes no time.
  static void pair(Port& initiator, Port& target);

 protected:
  Port(Unit& owner, const Link& link);

  /// Something comes at `t`, and the owner has computed further. A foreign peer answers when it likes, within the cycle
  /// that is being computed too, and is heard in the next one; a unit of the model breaks what windows rest on:
  /// std::logic_error.
  Femtoseconds late(Femtoseconds t) const;

  Unit& owner_;
  Link link_;
  Clock clock_;  ///< the owner's
  bool foreign_ = true;

 private:
  friend class Unit;
  /// Binding is over.
  virtual void elaborate() = 0;

  const Unit* peer_ = nullptr;
};

class Unit : public sc_core::sc_module {
 public:
  const Clock& clock() const { return clock_; }
  /// Length of a step, of which its look-ahead windows have one or two, once the simulation has been elaborated.
  Femtoseconds step() const { return windows_.period(); }
  /// Now, without a look-up of the simulation context: this is on every hop's path.
  Femtoseconds now() const { return simcontext()->time_stamp().value(); }
  /// Everything before this time has been computed.
  Femtoseconds computed_until() const { return computed_until_; }
  /// Asks for the window that contains `at` to be computed; a time before computed_until() means the next window.
  void wake(Femtoseconds at) {
    if (at < *wanted_) schedule(at);
  }
  /// Nothing from `at` on is computed. Throws std::logic_error if something has been.
  void stop_at(Femtoseconds at);

  /// Nothing is left that the unit has to do of itself: a run is complete when all units say so.
  virtual bool done() const { return true; }
  /// What it holds and what that waits for, one line each, for the report of a deadlock; empty if there is nothing.
  virtual std::vector<std::string> waiting() const { return {}; }
  /// Puts in what it has counted before cycle `end` of clock(), a time that has been simulated.
  virtual void report(Report& /*report*/, Cycle /*end*/) {}
  /// What its compute() or flush() has thrown; null if nothing. A unit that has thrown computes no more.
  const std::exception_ptr& failure() const { return failure_; }

  /// To be flushed after a window in which it has marked itself, in the order in which it is told. Ports tell it
  /// themselves.
  void add(Flushable& flushable) { flushes_.add(flushable); }
  /// Somebody asks now and then what it has counted (tlm/sampler.h).
  bool sampled() const { return !samplings_.empty(); }
  /// `watcher` is told of what passes the tap, one of this unit's, whenever the unit is flushed.
  template <class Event>
  void watch(Tap<Event>& tap, typename Tap<Event>::Watcher watcher) {
    add(tap);
    tap.watch(std::move(watcher));
  }

 protected:
  /// Throws std::logic_error if SystemC's time resolution is not 1 fs.
  Unit(const sc_core::sc_module_name& name, const Clock& clock);

  /// To be called by a unit that has a peer outside the model at a socket which is no port: it looks ahead for one cycle.
  void has_foreign_peer() { foreign_peer_ = true; }

  /// Computes everything strictly before `until`. Returns when there is work next (not before `until`) if nothing
  /// arrives earlier; kNever if only an arrival makes work. In cycles of clock(). Touches no SystemC, no other unit and
  /// no global: what leaves is put into outboxes, which flush() empties.
  virtual Cycle compute(Cycle until) = 0;
  /// To be called in the constructor of a unit that calls end_run(): how long ahead it does so at least. Windows are no
  /// longer.
  void tells_end(Femtoseconds notice) { end_notice_ = notice; }
  /// To be called once `at` is known to be the first time that is no part of the run. Throws std::logic_error if
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
    std::size_t unit;  ///< its number there
    Femtoseconds next;
  };

  void before_end_of_elaboration() override;
  void start_of_simulation() override;
  /// Its windows are those of `schedule`, where it has this turn and is one of a group whose first work is at `first`, and
  /// which finds in `wanted` when it has work; what that is before the first time, leave() says.
  void join(WindowSchedule& schedule, unsigned turn, Femtoseconds& first, Femtoseconds& wanted);
  Femtoseconds leave() { return *std::exchange(wanted_, &own_wanted_); }
  void schedule(Femtoseconds at);
  /// Time of cycle `n`; kEndOfTime if that is later.
  Femtoseconds time_of(Cycle n) const { return n < cycles_ ? clock_.edge(n) : n == kNever ? kNever : kEndOfTime; }
  void compute_own_window() { compute_window(now() + windows_.period()); }
  /// Computes the window that begins now and ends at `until`, and tells everybody.
  void compute_window(Femtoseconds until);
  /// Computes it, no more; false if the unit has come to its end before.
  bool compute_until(Femtoseconds until);
  void past_end() const;
  void fail(const std::exception_ptr& failure);
  void sample(Sampler& sampler, std::size_t unit, Femtoseconds first);
  void take_samples();

  Clock clock_;
  Clock windows_;  ///< its steps, which are its windows where it is in no schedule: n begins at edge n
  Cycle cycles_;   ///< before kEndOfTime
  Femtoseconds computed_until_ = 0;
  Femtoseconds* wanted_ =
      &own_wanted_;  ///< when it has work; of a unit with windows of its own, when its window begins
  Femtoseconds end_ = kEndOfTime;
  Femtoseconds sample_at_ = kNever;   ///< the first of `samplings_`
  Femtoseconds end_notice_ = kNever;  ///< what it tells its end ahead; kNever: it does not tell any
  Femtoseconds own_wanted_ = kNever;
  sc_core::sc_event wake_event_;
  FlushList flushes_;
  std::vector<Port*> ports_;
  std::vector<Sampling> samplings_;
  Assembly* assembly_ = nullptr;
  WindowSchedule* schedule_ = nullptr;
  unsigned turn_ = 0;
  Femtoseconds* first_of_group_ = nullptr;  ///< in the schedule: when the first of its group has work
  std::exception_ptr failure_;
  bool started_ = false;
  bool foreign_peer_ = false;
  bool looks_ahead_ = false;  ///< for as long as the other units of its assembly
};

}  // namespace gputlm
