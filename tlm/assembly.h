/// An assembly of units: what a platform is made of, a GPU, a bench or a user's own. It owns the units, binds their
/// ports, finds how far units look ahead and runs the simulation:
///
///   Assembly assembly;
///   auto& player = assembly.add<TracePlayer>("player", ...);
///   auto& dram = assembly.add<DramController>("dram", ...);
///   assembly.bind(player.channels[0], dram.ports[0]);
///   assembly.run();
///
/// A step is as long as the shortest latency among the links that are bound; a unit's look-ahead window is one step, or two
/// where units can take turns (tlm/window_schedule.h). Nothing else depends on its length: a shorter one gives the same
/// results, a longer one is refused. SystemC elaborates once a process, so all assemblies of a process are run together.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tlm/checker.h"
#include "tlm/host_timer.h"
#include "tlm/port.h"
#include "tlm/report.h"
#include "tlm/run_state.h"
#include "tlm/unit.h"
#include "tlm/window_schedule.h"

namespace gputlm {

class Assembly {
 public:
  struct Limits {
    Femtoseconds end = kNever;  ///< nothing from there on is computed; the run ends there, incomplete
    /// Asked every tenth of a second of the host's time, with the simulated time; false ends the run, incomplete.
    std::function<bool(Femtoseconds now)> proceed;
  };

  /// `check_protocol`: puts a ProtocolChecker into every binding.
  explicit Assembly(bool check_protocol = false) : check_protocol_(check_protocol) {}
  Assembly(const Assembly&) = delete;
  Assembly& operator=(const Assembly&) = delete;

  /// A unit of type `T`, made from its name and `arguments`, that lives as long as the assembly.
  template <class T, class... Arguments>
  T& add(const std::string& name, Arguments&&... arguments) {
    auto unit = std::make_unique<T>(name.c_str(), std::forward<Arguments>(arguments)...);
    T& added = *unit;
    adopt(std::move(unit));
    return added;
  }

  /// Binds two units of the model. Throws std::logic_error if the ports describe their link differently, or if it takes
  /// no time, and InputError if it takes less than the step that has been set.
  template <class Item>
  void bind(InitiatorPort<Item>& initiator, TargetPort<Item>& target) {
    pair(initiator, target);
    join(initiator.socket, target.socket);
  }
  /// Binds a module outside the model, which knows no more than the base protocol.
  template <class Item>
  void bind(tlm::tlm_initiator_socket<>& foreign, TargetPort<Item>& target) {
    join(foreign, target.socket);
  }
  template <class Item>
  void bind(InitiatorPort<Item>& initiator, tlm::tlm_target_socket<>& foreign) {
    join(initiator.socket, foreign);
  }

  /// Latency of the shortest link that has been bound; kNever if there is none between units of the model.
  Femtoseconds shortest_hop() const { return shortest_hop_; }
  /// Sets the step, which is the shortest hop otherwise. Throws InputError if it is 0, or longer than a hop that has been
  /// bound, or will be.
  void set_step(Femtoseconds step);
  /// Of every unit but those with a foreign peer, which look ahead for one cycle.
  Femtoseconds step() const { return step_.value_or(shortest_hop_); }

  /// How many threads compute units; 1 unless told, before the simulation is elaborated. Does not change results.
  void set_threads(unsigned threads) { threads_ = threads; }
  unsigned threads() const { return threads_; }
  /// Not a part of results: it depends on the machine.
  const WindowSchedule::Windows& windows() const { return schedule_.windows(); }

  /// Simulates until every unit is done(). Throws what the first unit to fail has thrown: first in simulated time, then
  /// in the order of add(); and std::runtime_error when a protocol checker has found a violation.
  RunState run(const Limits& limits);
  RunState run() { return run(Limits{}); }
  /// run() has been called. Otherwise the platform's own sc_start() simulates, and SystemC tells it of failures.
  bool runs() const { return runs_; }
  /// The run ends: no unit computes anything from `at` on. To be told at least two steps ahead; of several times the
  /// first one counts. Throws std::logic_error if a unit has computed further.
  void stop_at(Femtoseconds at);
  /// The same from a unit that computes, at a time when others do.
  void end_run(Femtoseconds at) { schedule_.stop_at(at); }
  /// The first time that is no part of the run; kNever as long as it is not known.
  Femtoseconds end() const { return end_; }

  /// In the order of add().
  const std::vector<std::unique_ptr<Unit>>& units() const { return units_; }
  /// What all units have counted before `end`, a time that has been simulated.
  Report report(Femtoseconds end);
  /// Who waits for what, one line each.
  std::vector<std::string> waiting() const;
  /// One a binding, if asked for.
  const std::vector<std::unique_ptr<ProtocolChecker>>& checkers() const { return checkers_; }
  bool checks_protocol() const { return check_protocol_; }
  std::uint64_t checked_transactions() const;

 private:
  void adopt(std::unique_ptr<Unit> unit);
  void pair(Port& initiator, Port& target);
  void check_step() const;
  void join(tlm::tlm_initiator_socket<>& initiator, tlm::tlm_target_socket<>& target);
  RunState run_to_end(const Limits& limits);
  bool done() const;
  void rethrow_failure() const;
  void check_violations() const;

  bool check_protocol_;
  bool runs_ = false;
  unsigned threads_ = 1;
  HostTimer timer_;
  WindowSchedule schedule_{*this};
  std::optional<Femtoseconds> step_;
  Femtoseconds shortest_hop_ = kNever;
  std::string nearest_;  ///< the ports at its two ends
  Femtoseconds end_ = kNever;
  std::vector<std::unique_ptr<Unit>> units_;
  std::vector<std::unique_ptr<ProtocolChecker>> checkers_;
};

}  // namespace gputlm
