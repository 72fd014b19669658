#include "tlm/assembly.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "tlm/base/error.h"

namespace gputlm {

const char* to_string(RunState state) {
  switch (state) {
    case RunState::kComplete: return "complete";
    case RunState::kInterrupted: return "interrupted";
    case RunState::kDeadlocked: return "deadlocked";
    case RunState::kCycleLimit: return "cycle limit reached";
    case RunState::kTimeLimit: return "end of simulated time reached";
  }
  return "";
}

void Assembly::adopt(std::unique_ptr<Unit> unit) {
  unit->assembly_ = this;
  units_.push_back(std::move(unit));
}

void Assembly::pair(Port& initiator, Port& target) {
  Port::pair(initiator, target);
  if (initiator.link().latency < shortest_hop_) {
    shortest_hop_ = initiator.link().latency;
    nearest_ = initiator.name() + " and " + target.name();
  }
  check_step();
}

void Assembly::set_step(Femtoseconds step) {
  step_ = step;
  check_step();
}

void Assembly::check_step() const {
  if (!step_ || (*step_ > 0 && *step_ <= shortest_hop_)) return;
  throw InputError("look-ahead window: found " + to_sc_time(*step_).to_string() +
                   (nearest_.empty() ? ", allowed: more than 0 s"
                                     : ", allowed: 1 fs to " + to_sc_time(shortest_hop_).to_string() +
                                           ", the shortest hop, between " + nearest_));
}

void Assembly::join(tlm::tlm_initiator_socket<>& initiator, tlm::tlm_target_socket<>& target) {
  if (!check_protocol_) {
    initiator.bind(target);
    return;
  }
  std::string name = std::string("checker_of_") + initiator.name();
  std::replace(name.begin(), name.end(), '.', '_');
  checkers_.push_back(std::make_unique<ProtocolChecker>(name.c_str()));
  initiator.bind(checkers_.back()->target);
  checkers_.back()->initiator.bind(target);
}

RunState Assembly::run(const Limits& limits) {
  if (limits.end != kNever) stop_at(limits.end);
  runs_ = true;
  RunState state = RunState::kComplete;
  try {
    state = run_to_end(limits);
    schedule_.settle();
  } catch (const sc_core::sc_report& report) {  // exception that a foreign module has thrown
    throw std::runtime_error(report.what());
  }
  check_violations();
  return state;
}

/// Leaves SystemC every tenth of a second of host time, since how long a piece of simulated time takes is not known in
/// advance. Where it leaves does not change results.
RunState Assembly::run_to_end(const Limits& limits) {
  const HostTimer::Ticks ticks(timer_, std::chrono::milliseconds(100));
  const Femtoseconds end = std::min(limits.end, kEndOfTime);
  // The timer may expire before the first event, particularly on a busy machine. SystemC would then print on stdout, among
  // the results, that nothing has happened.
  sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_, sc_core::SC_DO_NOTHING);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborates; from here on, no pending event means no progress
  for (;;) {
    rethrow_failure();
    if (done()) return RunState::kComplete;
    if (!sc_core::sc_pending_activity()) return RunState::kDeadlocked;
    const Femtoseconds now = now_fs();
    if (now >= end) return end == limits.end ? RunState::kCycleLimit : RunState::kTimeLimit;
    if (limits.proceed && !limits.proceed(now)) return RunState::kInterrupted;
    const sc_core::sc_time left = to_sc_time(end - now);
    // If nothing happens until the end, time would not advance, and SystemC would print that on stdout. Otherwise the
    // simulation must not run past the last event, which is when a deadlock began.
    const bool quiet = sc_core::sc_time_to_pending_activity() > left;
    sc_core::sc_start(left, quiet ? sc_core::SC_RUN_TO_TIME : sc_core::SC_EXIT_ON_STARVATION);
  }
}

bool Assembly::done() const {
  return std::all_of(units_.begin(), units_.end(), [](const auto& unit) { return unit->done(); });
}

/// A unit that fails pauses the simulation. SystemC decides which other units have computed the same time by then. The loop
/// lets all of them do so.
void Assembly::rethrow_failure() const {
  const auto failed = [](const auto& unit) { return unit->failure() != nullptr; };
  if (std::none_of(units_.begin(), units_.end(), failed)) return;
  while (sc_core::sc_pending_activity_at_current_time()) sc_core::sc_start(sc_core::SC_ZERO_TIME);
  std::rethrow_exception((*std::find_if(units_.begin(), units_.end(), failed))->failure());
}

void Assembly::stop_at(Femtoseconds at) {
  if (at >= end_) return;
  end_ = at;
  for (const auto& unit : units_) unit->stop_at(at);
}

Report Assembly::report(Femtoseconds end) {
  Report report;
  for (const auto& unit : units_) unit->report(report, unit->clock().at_or_after(end));
  return report;
}

std::vector<std::string> Assembly::waiting() const {
  std::vector<std::string> lines;
  for (const auto& unit : units_) {
    const std::vector<std::string> more = unit->waiting();
    lines.insert(lines.end(), more.begin(), more.end());
  }
  return lines;
}

std::uint64_t Assembly::checked_transactions() const {
  std::uint64_t sum = 0;
  for (const auto& checker : checkers_) sum += checker->transactions();
  return sum;
}

void Assembly::check_violations() const {
  std::string all;
  for (const auto& checker : checkers_) {
    for (const std::string& violation : checker->violations()) all += (all.empty() ? "" : "; ") + violation;
  }
  if (!all.empty()) throw std::runtime_error("TLM-2.0 base protocol violated: " + all);
}

}  // namespace gputlm
