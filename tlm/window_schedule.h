/// Which units of an assembly are due, window by window, and on which thread each computes.
///
/// Simulated time is cut into windows, the same for all units (tlm/unit.h). When one begins, the units that have asked
/// for a time in it are due:
///
/// 1. They compute the window. A unit touches nothing outside while it does.
/// 2. What they have sent is delivered: every port calls its peer at the other end of the link, unit by unit in the order
///    in which they were added, port by port in that of the unit.
/// 3. What leaves the model is told: taps, samples, peers outside.
///
/// With several threads each has units of its own, whose state stays in its cache. In the second step a thread makes the
/// calls that end in its units. So a unit is touched by one thread alone, but for the ends of its links: what a port has
/// to send is written by its unit's thread in the first step and taken by that of its peer in the second. Nothing
/// depends on how many threads there are, nor on which of them has which unit.
///
/// A unit with a peer outside the model looks ahead for a cycle only, and computes when SystemC says so.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <systemc>
#include <vector>

#include "tlm/crew.h"
#include "tlm/time.h"

namespace gputlm {

class Assembly;
class Flushable;
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

 private:
  struct Entry {
    Unit* unit;
    std::vector<std::vector<Flushable*>> deliveries;  ///< ports, by the member whose units they call
    std::vector<Flushable*> others;                   ///< called alone
  };
  /// What a thread has; on cache lines of its own.
  struct alignas(64) Member {
    std::vector<Unit*> units;
    std::vector<Femtoseconds> wanted;         ///< by unit: the first time at which it has work; kNever: none
    std::vector<std::uint8_t> computed;       ///< by unit: the window at hand
    std::vector<std::exception_ptr> failure;  ///< by unit: what its compute() has thrown
    std::size_t undelivered = 0;              ///< the entry with a port whose call has thrown,
    std::exception_ptr delivery_failure;      ///< and what
    unsigned due = 0;                         ///< of its units, in the last window
  };

  void end_of_elaboration() override;
  void distribute(unsigned members);
  void begin_at(Femtoseconds at);
  void run_window();
  void compute_alone();
  void compute(Member& member);
  void deliver(unsigned member);
  void tell();

  Assembly& assembly_;
  Clock windows_{1};  ///< window n begins at edge n
  sc_core::sc_event begin_;
  Femtoseconds next_ = kNever;  ///< begin_ comes for this time
  Femtoseconds until_ = 0;      ///< end of the window at hand
  bool running_ = false;        ///< it is being computed
  std::atomic<Femtoseconds> stop_at_{kNever};
  std::vector<Entry> entries_;   ///< in the order of the assembly
  std::vector<Member> members_;  ///< by thread; entry i is unit i / members of member i % members
  std::unique_ptr<Crew> crew_;   ///< if there are several
};

}  // namespace gputlm
