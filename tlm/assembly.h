/// An assembly of units: a GPU, a bench or a user's own platform. It owns the units, binds their ports, determines how far
/// they look ahead and runs the simulation:
///
///   Assembly assembly;
///   auto& player = assembly.add<TracePlayer>("player", ...);
///   auto& dram = assembly.add<DramController>("dram", ...);
///   assembly.bind(player.channels[0], dram.ports[0]);
///   assembly.run();
///
/// A step is as long as the shortest latency of the bound links; a unit's look-ahead window is one step, or two where units
/// can take turns (tlm/window_schedule.h). A shorter step gives the same results; a longer one is rejected. SystemC
/// elaborates once per process, so all assemblies of a process run together.
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
    Femtoseconds end = kNever;  ///< time at which the run ends, incomplete; nothing from it on is computed
    /// Called with the simulated time every tenth of a second of host time; false ends the run, incomplete.
    std::function<bool(Femtoseconds now)> proceed;
  };

  /// `check_protocol`: puts a ProtocolChecker into every binding.
  explicit Assembly(bool check_protocol = false) : check_protocol_(check_protocol) {}
  Assembly(const Assembly&) = delete;
  Assembly& operator=(const Assembly&) = delete;

  /// Constructs a unit of type `T` from its name and `arguments`; it lives as long as the assembly.
  template <class T, class... Arguments>
  T& add(const std::string& name, Arguments&&... arguments) {
    auto unit = std::make_unique<T>(name.c_str(), std::forward<Arguments>(arguments)...);
    T& added = *unit;
    adopt(std::move(unit));
    return added;
  }

  /// Binds two units of the model. Throws std::logic_error if the ports describe their link differently or the link has no
  /// latency, and InputError if its latency is shorter than the step that was set.
  template <class Item>
  void bind(InitiatorPort<Item>& initiator, TargetPort<Item>& target) {
    pair(initiator, target);
    join(initiator.socket, target.socket);
  }
  /// Binds a module outside the model, which knows only the base protocol.
  template <class Item>
  void bind(tlm::tlm_initiator_socket<>& foreign, TargetPort<Item>& target) {
    join(foreign, target.socket);
  }
  template <class Item>
  void bind(InitiatorPort<Item>& initiator, tlm::tlm_target_socket<>& foreign) {
    join(initiator.socket, foreign);
  }

  /// Latency of the shortest bound link; kNever if no link joins two units of the model.
  Femtoseconds shortest_hop() const { return shortest_hop_; }
  /// Sets the step; the default is the shortest hop. Throws InputError if it is 0; a step longer than any hop, bound before
  /// or later, is an InputError too.
  void set_step(Femtoseconds step);
  /// The step of every unit except those with a foreign peer, which look ahead one cycle.
  Femtoseconds step() const { return step_.value_or(shortest_hop_); }

  /// Number of threads that compute units; default 1. To be set before elaboration. Does not change results.
  void set_threads(unsigned threads) { threads_ = threads; }
  unsigned threads() const { return threads_; }
  /// Depends on the machine, so it is not part of the results.
  const WindowSchedule::Windows& windows() const { return schedule_.windows(); }

  /// Simulates until every unit is done(). Rethrows the exception of the first unit that failed, by simulated time, then by
  /// order of add(). Throws std::runtime_error if a protocol checker has found a violation.
  RunState run(const Limits& limits);
  RunState run() { return run(Limits{}); }
  /// Whether run() has been called. Otherwise the platform calls sc_start() itself, and SystemC reports failures to it.
  bool runs() const { return runs_; }
  /// Ends the run: no unit computes anything from `at` on. To be called at least two steps ahead; the first of several
  /// calls counts. Throws std::logic_error if a unit has computed further.
  void stop_at(Femtoseconds at);
  /// The same, called by a unit while it and others compute.
  void end_run(Femtoseconds at) { schedule_.stop_at(at); }
  /// The first time that is not part of the run; kNever while unknown.
  Femtoseconds end() const { return end_; }

  /// The units, in the order of add().
  const std::vector<std::unique_ptr<Unit>>& units() const { return units_; }
  /// The counters of all units up to `end`, exclusive; `end` has been simulated.
  Report report(Femtoseconds end);
  /// Which unit waits for what, one line each.
  std::vector<std::string> waiting() const;
  /// The checkers, one per binding, if `check_protocol` is set.
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
  std::string nearest_;  ///< the ports at the ends of the shortest hop
  Femtoseconds end_ = kNever;
  std::vector<std::unique_ptr<Unit>> units_;
  std::vector<std::unique_ptr<ProtocolChecker>> checkers_;
};

}  // namespace gputlm
