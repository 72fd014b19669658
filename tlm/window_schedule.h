/// Determines, step by step, which units of an assembly are due and on which thread each computes.
///
/// Simulated time is divided into steps (Assembly::step()). When a step begins, the units whose turn it is and which have
/// requested a time in the window that begins with it are due. They compute it, which touches nothing outside a unit; then
/// what they have sent is delivered, by a call of the peer for each access and credit.
///
/// Units take turns, in even steps and in odd ones, each for a window of two steps. While a unit computes from t to t + 2
/// steps, its neighbours, which have the other turn, have computed until t + 1 step. Everything that can reach it before
/// the end of its window has been sent by then, and nothing that it sends can reach them earlier. A unit whose links take
/// one step each way cannot look ahead further. Turns require that any two units with a link of less than two steps can
/// have different turns, as in all assemblies built in layers; that all units look ahead; and that the end of the run is
/// announced as far ahead (Unit::tells_end()). Otherwise each unit computes in every step, for a window of one.
///
/// Each thread has its own units, whose state stays in its caches. Of each kind it has a run of neighbours, so that most
/// units that communicate are on one thread; their number balances the threads' loads, by the units' measured cost. In a
/// step a thread
///
/// 1. delivers what units of all threads sent to its units in the previous step,
/// 2. computes its units that are due, then those of other threads that no thread has begun; and hands over what they have
///    sent.
///
/// One thread at a time touches a unit: its own, which delivers to it and then offers it, or the one that takes it. A port
/// has two lists of items to send: computing the unit fills one while the thread of its peer empties the other; they swap
/// when all threads have finished the step. Then one thread alone serves what leaves the model: taps, samples, foreign
/// peers. Nothing arrives in a window that its receiver has already begun, so results do not depend on when it is
/// delivered: neither on the number of threads, nor on which thread has which unit, nor on whether all threads or one alone
/// compute a step (tlm/window_pace.h).
///
/// A unit with a peer outside the model looks ahead only one cycle, and SystemC schedules it.
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

#include "tlm/base/time.h"
#include "tlm/crew.h"
#include "tlm/window_pace.h"

namespace gputlm {

class Assembly;
class Port;
class Unit;

class WindowSchedule final : public sc_core::sc_module {
 public:
  /// To be constructed before elaboration; elaboration takes the units that `assembly` then has.
  explicit WindowSchedule(Assembly& assembly);
  ~WindowSchedule() override;

  /// Requests the window of `at` for a unit; `first` is the time of its group.
  void wanted(Femtoseconds at, unsigned turn, Femtoseconds& first) {
    if (!together_) first = std::min(first, at);
    if (running_) return;
    if (const Femtoseconds begin = begin_of(at, turn); begin < next_) begin_at(begin);
  }
  /// Stops the assembly at `at`, which is after all windows that have begun; may be called by any thread.
  void stop_at(Femtoseconds at);
  /// Delivers what has been sent.
  void settle();
  /// With several threads: the windows computed, and those that all threads computed together.
  struct Windows {
    std::uint64_t all = 0, together = 0;
  };
  const Windows& windows() const { return windows_; }

 private:
  static constexpr std::size_t kGroup = 16;

  struct Entry {
    Unit* unit;
    unsigned turn = 0;
    std::uint64_t cost = 1;             ///< cost of its windows, relative to other units
    std::size_t member = 0, place = 0;  ///< the member that has it, and its place there
    /// By number in the unit's flush list: the port, and the unit at its other end, whose thread may call it. None: one
    /// thread alone flushes it.
    std::vector<std::pair<Port*, Entry*>> ports;
    Entry* peer(std::size_t number) const { return number < ports.size() ? ports[number].second : nullptr; }
  };
  struct Sent {
    Port* port;
    unsigned list;
  };
  using Deliveries = std::vector<std::vector<Sent>>;  ///< indexed by the member whose units receive them
  /// A member's units that have the same turn.
  struct Half {
    std::vector<Entry*> units;
    std::vector<Femtoseconds> wanted;  ///< time at which each unit next has work; kNever: no work
    /// The first of these times for each group of kGroup units, or an earlier one: most groups need not be examined in a
    /// step.
    std::vector<Femtoseconds> first;
    std::size_t was_due = 0;  ///< number of units that were due in the half's last step
  };
  /// The data of a thread, on separate cache lines.
  struct alignas(64) Member {
    std::array<Half, 2> halves;      ///< indexed by turn; the first has all units if they do not take turns
    std::array<Deliveries, 2> sent;  ///< items sent by this thread in the current step and in the previous one
    std::vector<std::pair<Unit*, std::exception_ptr>> failures;
    std::vector<Entry*> computed;  ///< units computed by this thread in the current step
    std::vector<Entry*> due;       ///< those of its units that are due in the current step
    /// Number of `due` that any thread may compute; 0 until the thread has delivered to its units.
    alignas(64) std::atomic<std::size_t> offered{0};
    std::atomic<std::size_t> taken{0};
  };

  Femtoseconds now() const { return simcontext()->time_stamp().value(); }
  void end_of_elaboration() override;
  bool told_ahead(Femtoseconds window) const;
  bool take_turns();
  void assign(unsigned turn);
  void distribute();
  /// Beginning of the step in which a unit with this turn computes `at`.
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
  Femtoseconds next_ = kNever;  ///< time at which begin_ is notified
  unsigned turn_ = 0;           ///< turn of the units that compute in the current step
  Femtoseconds until_ = 0;      ///< end of their windows
  bool running_ = false;        ///< a step is being computed
  bool together_ = false;       ///< several threads compute: Half::first is determined when all have finished the step
  std::atomic<Femtoseconds> stop_at_{kNever};
  std::vector<Entry> entries_;                                  ///< units in the order of the assembly
  std::array<std::vector<std::vector<std::size_t>>, 2> kinds_;  ///< for each turn: entries with units of the same class
  std::vector<Member> members_;                                 ///< indexed by thread
  unsigned filling_ = 0;    ///< number of the list of Member::sent that the current step fills
  bool unsettled_ = false;  ///< something has been sent but not delivered
  WindowPace pace_;
  Windows windows_;
  /// Steps not yet reported to the pace, which gets as many at once as there are turns, since the turns' units differ in
  /// cost.
  struct {
    unsigned steps = 0;
    std::size_t due = 0;
    WindowPace::Nanoseconds time = 0;
  } untold_;
  std::unique_ptr<Crew> crew_;  ///< present if there are several threads
};

}  // namespace gputlm
