/// A place where requests pass a regulator, in front of a unit's request queues. A request without enough tokens waits in a
/// queue of its application, and others overtake it. It keeps its slot of the unit's queue: credits still bound the waiting
/// requests, and an application that fills a shared queue blocks others there.
///
/// It sits between the unit's ports and queues, which do not know of it. It does not exist without budgets.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/policy/tally.h"
#include "models/regulator/decisions.h"
#include "models/regulator/regulator.h"
#include "tlm/access.h"
#include "tlm/base/counters.h"
#include "tlm/link.h"
#include "tlm/report.h"
#include "tlm/tap.h"

namespace gputlm {

/// Counters of one application, over all places.
struct BudgetStatistics {
  std::uint64_t bytes = 0, delayed = 0, wait = 0, throttled = 0, exhausted = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = BudgetStatistics;
    v.counter(&S::bytes, "bytes", "bytes", "Bytes that counted against the budget and passed");
    v.counter(&S::delayed, "delayed", "requests", "Requests that had to wait for a budget");
    v.counter(&S::wait, "wait_cycles", "core cycles",
              "Time that delayed requests waited until they passed, summed over the requests");
    v.counter(&S::throttled, "throttled_cycles", "core cycles",
              "Time in which requests waited, summed over the places");
    v.counter(&S::exhausted, "exhausted_periods", "periods",
              "Periods in which requests waited, summed over the places");
  }
};

/// An application with a budget.
struct RegulatedApplication {
  ApplicationId application = 0;
  Cycle period = 1;
  bool reads = true, writes = true;  ///< which accesses count; an atomic is both
};

/// The regulation of a GPU's places.
struct Regulation {
  std::string policy = "hard";
  std::vector<RegulatedApplication> applications = {};  ///< indexed by number; empty: no regulation
  std::vector<std::vector<Bytes>> budgets = {};         ///< budget for each place and number; 0: none
  bool is_given() const { return !applications.empty(); }
};

class RegulatedPlace {
 public:
  /// Place `place` of the regulation, in front of `behind`, which must outlive it. Each application's requests use one of
  /// these receivers. Throws InputError if there is no policy of this name.
  RegulatedPlace(const Regulation& regulation, std::size_t place, const std::vector<Receiver<Access>*>& behind);
  ~RegulatedPlace();

  /// The receiver that replaces the i-th of `behind` at the unit's port.
  Receiver<Access>& input(std::size_t i);
  /// Forwards what can go before `until`, given all arrivals before then; returns the next cycle with work, kNever if it
  /// depends on an arrival. To be called before the receivers behind are read.
  Cycle advance(Cycle until);
  /// Passes slots freed behind on to the ports. To be called afterwards.
  void hand_back();

  /// Statistics of each application.
  std::vector<BudgetStatistics> statistics(Cycle now) const;
  void count(PolicyTally& tally) const;
  /// Requests that wait for a budget, for the report of a deadlock.
  std::size_t held() const;
  /// Budget of each application that has one, by number; 0: passes as without one.
  std::vector<Bytes> budgets() const;

  /// Of successive periods in which nothing waits or passes, it reports only the first and the last.
  Tap<RegulatorEvent> decisions;

 private:
  class Input;
  struct Timer;
  struct User;

  void arrive(Cycle at, Access& access, Input& input);
  void begin_periods(Cycle until, bool arrives);
  void release(Cycle now);
  void pass(Cycle now, unsigned number);
  void note(Cycle now, RegulatorEvent::Kind kind, unsigned number, Bytes bytes) {
    if (decisions.watched()) decisions.note({now, kind, static_cast<std::uint8_t>(number), bytes});
  }

  std::string policy_;
  std::unique_ptr<BandwidthRegulator> regulator_;
  std::vector<std::unique_ptr<Input>> inputs_;
  std::vector<std::uint8_t> numbers_;  ///< number of each application
  std::vector<User> users_;            ///< indexed by number
  std::vector<Timer> timers_;          ///< one per length of a period
  Cycle next_ = 0;                     ///< start of the next period of any timer
  std::uint64_t waiting_ = 0;          ///< set of the numbers of applications with waiting requests
  unsigned turn_ = 0;                  ///< user whose requests are released first
};

/// The places in front of a unit's queues.
class RegulatedPlaces {
 public:
  RegulatedPlace& add(const Regulation& regulation, std::size_t place, const std::vector<Receiver<Access>*>& behind) {
    return *places_.emplace_back(std::make_unique<RegulatedPlace>(regulation, place, behind));
  }
  /// `compute()`: computes the unit behind, until the same cycle.
  template <class Compute>
  Cycle compute(Cycle until, Compute compute) {
    if (places_.empty()) return compute();
    Cycle next = kNever;
    for (const auto& place : places_) next = std::min(next, place->advance(until));
    next = std::min(next, compute());
    for (const auto& place : places_) place->hand_back();
    return next;
  }
  void report(Report& report, Cycle now) const;
  const std::vector<std::unique_ptr<RegulatedPlace>>& all() const { return places_; }
  /// Adds lines about waiting requests, for the report of a deadlock.
  void tell_waiting(const std::string& unit, std::vector<std::string>& lines) const;

 private:
  std::vector<std::unique_ptr<RegulatedPlace>> places_;
};

}  // namespace gputlm
