/// Which units of an assembly are due, window by window, and on which thread each computes.
///
/// Simulated time is cut into windows, the same for all units (tlm/unit.h). When one begins, the units that have asked
/// for a time in it are due: they compute it, which touches nothing outside a unit, and what they have sent is delivered,
/// which is a call of the peer for each access and credit.
///
/// Several threads have units of their own, whose state stays in their caches: of each kind a row of neighbours, so that
/// most of those that talk to each other are on one thread, and as many as make the threads' loads alike, by what the
/// units have cost before. In a window a thread
///
/// 1. delivers what all threads' units have sent to its units in the window before,
/// 2. computes those of its units that are due, and then of others' that nobody has begun with; and hands over what they
///    have sent.
///
/// A unit is touched by one thread at a time: by its own, which delivers to it and then offers it, and by the one that
/// takes it. What a port has to send is in two lists: one is filled as the unit is computed, while the thread of its peer
/// empties the other; they change when all threads have done with the window. Then one thread alone tells what leaves
/// the model: taps, samples, peers outside. What arrives, arrives no earlier than the window after the one in
/// which it was sent, so nothing depends on when it is delivered: not on how many threads there are, nor on which of them
/// has which unit, nor on whether a window is computed by all of them or by one alone (tlm/window_pace.h).
///
/// A unit with a peer outside the model looks ahead for a cycle only, and computes when SystemC says so.
#pragma once

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
class Flushable;
class Port;
class Unit;

class WindowSchedule final : public sc_core::sc_module {
 public:
  /// Before the simulation is elaborated; takes the units that `assembly` has by then.
  explicit WindowSchedule(Assembly& assembly);
  ~WindowSchedule() override;

  /// A unit wants to compute the window of `at`.
  void wanted(Femtoseconds at) {
    if (!running_ && at < next_) begin_at(at);
  }
  /// The assembly is to stop at `at`, which lies behind the window at hand; may be told by any thread.
  void stop_at(Femtoseconds at);
  /// Delivers what has been sent.
  void settle();

 private:
  struct Entry {
    Unit* unit;
    std::uint64_t cost = 1;                       ///< of its windows, compared with other units'
    std::size_t member = 0, place = 0;            ///< whose it is, and its place there
    std::vector<std::pair<Port*, Entry*>> ports;  ///< whose peers are called by the thread of the entry
    std::vector<Flushable*> others;               ///< called alone
  };
  struct Sent {
    Port* port;
    unsigned list;
  };
  using Deliveries = std::vector<std::vector<Sent>>;  ///< by the member whose units they go to
  /// What a thread has; on cache lines of its own.
  struct alignas(64) Member {
    std::vector<Entry*> units;
    std::vector<Femtoseconds> wanted;  ///< by unit: the first time at which it has work; kNever: none
    std::array<Deliveries, 2> sent;    ///< by this thread, in the window at hand and in the one before
    std::vector<std::pair<Unit*, std::exception_ptr>> failures;
    std::vector<Entry*> computed;  ///< by this thread, in the window at hand
    std::vector<Entry*> due;       ///< of its units, in the window at hand
    std::size_t was_due = 0;       ///< so many were in the last one
    /// So many of `due` may be computed, by whoever takes them; 0 before the thread has delivered to its units.
    alignas(64) std::atomic<std::size_t> offered{0};
    std::atomic<std::size_t> taken{0};
  };

  void end_of_elaboration() override;
  void assign();
  void distribute();
  void begin_at(Femtoseconds at);
  void run_window();
  void run_with_others();
  void compute_alone();
  void measure();
  void work(std::size_t number);
  void deliver(std::size_t number, unsigned turn);
  void offer(Member& member);
  void compute(Member& from, Member& by);
  void tell();
  bool due(const Entry& entry) const { return members_[entry.member].wanted[entry.place] < until_; }

  Assembly& assembly_;
  Clock windows_{1};  ///< window n begins at edge n
  sc_core::sc_event begin_;
  Femtoseconds next_ = kNever;  ///< begin_ comes for this time
  Femtoseconds until_ = 0;      ///< end of the window at hand
  bool running_ = false;        ///< it is being computed
  std::atomic<Femtoseconds> stop_at_{kNever};
  std::vector<Entry> entries_;                   ///< in the order of the assembly
  std::vector<std::vector<std::size_t>> kinds_;  ///< entries whose units are of the same class
  std::vector<Member> members_;                  ///< by thread
  unsigned turn_ = 0;                            ///< of Member::sent, what is filled in the window at hand
  bool unsettled_ = false;                       ///< something has been sent and not delivered
  WindowPace pace_;
  std::unique_ptr<Crew> crew_;  ///< if there are several
};

}  // namespace gputlm
