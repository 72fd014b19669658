/// Which units of an assembly are due, step by step, and on which thread each computes.
///
/// Simulated time is cut into steps (Assembly::step()). When one begins, the units whose turn it is, and which have asked
/// for a time in the window that begins with it, are due: they compute it, which touches nothing outside a unit, and what
/// they have sent is delivered, which is a call of the peer for each access and credit.
///
/// Units take turns: those of even steps and those of odd ones, each for a window of two steps. While a unit computes from
/// t to t + 2 steps, its neighbours, who have the other turn, have computed until t + 1 step: all that can reach it before
/// the end of its window has been sent by then, and nothing that it sends can reach them earlier. Nobody could look ahead
/// further whose links take a step both ways. For this the assembly must be such that any two units with a link of less
/// than two steps can have different turns, as in all that are built in layers; all its units must look ahead; and the end
/// of the run must be told as long ahead (Unit::tells_end()). Otherwise each unit computes in every step, for a window of
/// one.
///
/// Several threads have units of their own, whose state stays in their caches: of each kind a row of neighbours, so that
/// most of those that talk to each other are on one thread, and as many as make the threads' loads alike, by what the
/// units have cost before. In a step a thread
///
/// 1. delivers what all threads' units have sent to its units in the step before,
/// 2. computes those of its units that are due, and then others' that no thread has begun; and hands over what they
///    have sent.
///
/// A unit is touched by one thread at a time: by its own, which delivers to it and then offers it, and by the one that
/// takes it. What a port has to send is in two lists: one is filled as the unit is computed, while the thread of its peer
/// empties the other; they change when all threads have done with the step. Then one thread alone tells what leaves
/// the model: taps, samples, peers outside. What arrives, arrives in no window that its receiver has begun with, so
/// nothing depends on when it is delivered: not on how many threads there are, nor on which of them has which unit, nor on
/// whether a step is computed by all of them or by one alone (tlm/window_pace.h).
///
/// A unit with a peer outside the model looks ahead for a cycle only, and computes when SystemC says so.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <systemc>
#include <utility>
#include <vector>

#include "tlm/crew.h"
#include "tlm/time.h"
#include "tlm/window_pace.h"

namespace gputlm {

class Assembly;
class Port;
class Unit;

class WindowSchedule final : public sc_core::sc_module {
 public:
  /// Before the simulation is elaborated; takes the units that `assembly` has by then.
  explicit WindowSchedule(Assembly& assembly);
  ~WindowSchedule() override;

  /// A unit wants to compute the window of `at`; `first` is its group's.
  void wanted(Femtoseconds at, unsigned turn, Femtoseconds& first) {
    if (!together_) first = std::min(first, at);
    if (running_) return;
    if (const Femtoseconds begin = begin_of(at, turn); begin < next_) begin_at(begin);
  }
  /// The assembly is to stop at `at`, which lies behind all windows that have begun; may be told by any thread.
  void stop_at(Femtoseconds at);
  /// Delivers what has been sent.
  void settle();
  /// Windows that have been computed where there are several threads, and those of them that all threads have computed.
  struct Windows {
    std::uint64_t all = 0, together = 0;
  };
  const Windows& windows() const { return windows_; }

 private:
  static constexpr std::size_t kGroup = 16;

  struct Entry {
    Unit* unit;
    unsigned turn = 0;
    std::uint64_t cost = 1;             ///< of its windows, compared with other units'
    std::size_t member = 0, place = 0;  ///< whose it is, and its place there
    /// By number in the unit's list of what it flushes: the port, and the unit at its other end, whose thread may call
    /// it. None: one thread alone flushes it.
    std::vector<std::pair<Port*, Entry*>> ports;
    Entry* peer(std::size_t number) const { return number < ports.size() ? ports[number].second : nullptr; }
  };
  struct Sent {
    Port* port;
    unsigned list;
  };
  using Deliveries = std::vector<std::vector<Sent>>;  ///< by the member whose units they go to
  /// A member's units that have the same turn.
  struct Half {
    std::vector<Entry*> units;
    std::vector<Femtoseconds> wanted;  ///< by unit: the first time at which it has work; kNever: none
    /// Of kGroup units each, the first of these times, or an earlier one: most groups need no look in a step.
    std::vector<Femtoseconds> first;
    std::size_t was_due = 0;  ///< this many units were in the last step of theirs
  };
  /// What a thread has; on cache lines of its own.
  struct alignas(64) Member {
    std::array<Half, 2> halves;      ///< by turn; the first has all units if they do not take turns
    std::array<Deliveries, 2> sent;  ///< by this thread, in the step at hand and in the one before
    std::vector<std::pair<Unit*, std::exception_ptr>> failures;
    std::vector<Entry*> computed;  ///< by this thread, in the step at hand
    std::vector<Entry*> due;       ///< of its units, in the step at hand
    /// This many of `due` may be computed, by any thread; 0 before the thread has delivered to its units.
    alignas(64) std::atomic<std::size_t> offered{0};
    std::atomic<std::size_t> taken{0};
  };

  Femtoseconds now() const { return simcontext()->time_stamp().value(); }
  void end_of_elaboration() override;
  bool told_ahead(Femtoseconds window) const;
  bool take_turns();
  void assign(unsigned turn);
  void distribute();
  /// When the step begins in which a unit that has this turn computes `at`.
  Femtoseconds begin_of(Femtoseconds at, unsigned turn) const;
  void begin_at(Femtoseconds begin);
  void run_step();
  void run_with_others();
  void compute_alone();
  void find_first();
  void measure();
  void work(std::size_t number);
  void deliver(std::size_t number, unsigned filled);
  void offer(Member& member);
  void compute(Member& from, Member& by);
  void tell();
  bool due(const Entry& entry) const {
    return entry.turn == turn_ && members_[entry.member].halves[turn_].wanted[entry.place] < until_;
  }

  Assembly& assembly_;
  Clock steps_{1};  ///< step n begins at edge n
  unsigned turns_ = 1;
  sc_core::sc_event begin_;
  Femtoseconds next_ = kNever;  ///< begin_ comes at this time
  unsigned turn_ = 0;           ///< of the units that compute in the step at hand
  Femtoseconds until_ = 0;      ///< end of their windows
  bool running_ = false;        ///< they do
  bool together_ = false;       ///< on several threads: Half::first is found when all have done with the step
  std::atomic<Femtoseconds> stop_at_{kNever};
  std::vector<Entry> entries_;                                  ///< in the order of the assembly
  std::array<std::vector<std::vector<std::size_t>>, 2> kinds_;  ///< by turn, entries whose units are of the same class
  std::vector<Member> members_;                                 ///< by thread
  unsigned filling_ = 0;                                        ///< of Member::sent, what is filled in the step at hand
  bool unsettled_ = false;                                      ///< something has been sent and not delivered
  WindowPace pace_;
  Windows windows_;
  /// Of steps that the pace is not told of yet: as many as there are turns, as units differ in what their windows cost.
  struct {
    unsigned steps = 0;
    std::size_t due = 0;
    WindowPace::Nanoseconds time = 0;
  } untold_;
  std::unique_ptr<Crew> crew_;  ///< if there are several
};

}  // namespace gputlm
