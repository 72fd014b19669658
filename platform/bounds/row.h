/// A task's bound beside its simulated responses, as tables and files have it.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

#include "platform/bounds/study.h"
#include "platform/probes/records.h"

namespace gputlm {

struct BoundRow {
  const TaskSpec& task;
  const Workload& workload;
  const TaskBound& bound;
  const SimulatedTask& simulated;
  std::optional<Cycle> deadline;
  const Clock& clock;

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = BoundRow;
    v.field([](const R& r) -> const std::string& { return r.task.name; }, "task", Value{}, "Of the workload");
    v.field([](const R& r) -> const std::string& { return r.workload.applications[r.task.application].name; },
            "application", Value{}, "Whose it is");
    v.field([](const R& r) -> const std::string& { return r.bound.scheme; }, "scheme", Value{},
            "How its kernels are arbitrated, and which analysis that is (docs/bounds.md)");
    v.field([](const R& r) { return r.bound.alone; }, "alone_cycles", kCycles,
            "Longest response of a job where nothing else runs, as measured");
    v.field([](const R& r) { return r.bound.bound.cycles; }, "bound_cycles", kCycles,
            "That no response exceeds, by the analysis; empty if there is none");
    v.field([](const R& r) { return r.bound.bound.why; }, "no_bound", Value{}, "Why there is none");
    v.field([](const R& r) { return r.simulated.worst; }, "simulated_cycles", kCycles,
            "Longest response of all runs, over seeds and phases");
    v.field(&R::margin, "margin_cycles", Value{"core cycles"}, "By which the bound is above it; negative: it is below");
    v.field([](const R& r) { return r.simulated.jobs; }, "jobs", Value{"jobs"}, "That ended in all runs");
    v.field([](const R& r) { return r.simulated.seed; }, "worst_seed", Value{}, "Of the run with it, counted from 0");
    v.field([](const R& r) { return r.simulated.phase; }, "worst_phase", Value{},
            "Likewise: 0 releases as in the workload, 1 all first jobs at once, others drawn");
    v.field(&R::deadline, "deadline_cycles", kCycles, "That each of its jobs has");
    v.field(&R::by_analysis, "met_by_analysis", Value{}, "The bound is no later than the deadline, and not broken");
    v.field(&R::by_simulation, "met_by_simulation", Value{}, "No job of the runs has missed it");
    v.field(&R::broken, "bound_broken", Value{}, "A response of the runs is above the bound; empty if there is none");
    v.field([](const R& r) { return r.simulated.not_kept; }, "not_kept", Value{},
            "Then: what the analysis assumes, and the run did not keep");
    v.field(in_modes([](const R& r) { return r.is_hi() ? "hi" : "lo"; }), "criticality", Value{},
            "Of the task; this and what follows only where jobs may overrun");
    v.field(in_modes([](const R& r) { return r.bound.only_in_lo_mode ? "lo" : "any"; }), "bound_of_mode", Value{},
            "`lo`: `bound_cycles` and `simulated_cycles` are of jobs that were under way in mode lo only");
    v.field(in_modes([](const R& r) { return r.bound.alone_lo; }), "alone_lo_cycles", kCycles,
            "Longest response alone of a job that does not overrun");
    v.field([](const R& r) { return r.bound.lo ? r.bound.lo->cycles : std::nullopt; }, "bound_lo_cycles", kCycles,
            "That no job exceeds that is under way in mode lo only");
    v.field(in_modes([](const R& r) { return r.simulated.worst_lo; }), "simulated_lo_cycles", kCycles,
            "Longest response of these");
    v.field(in_modes([](const R& r) { return r.simulated.dropped; }), "dropped", Value{"jobs"},
            "That did not begin in mode hi");
  }

  template <class Get>
  static auto in_modes(Get get) {
    return [get](const BoundRow& r) { return r.bound.lo ? std::optional(get(r)) : std::nullopt; };
  }
  bool is_hi() const { return task.criticality == Criticality::kHi; }
  /// The user's budget that a job takes longer than alone; empty: there is none.
  std::string too_short() const {
    if (!task.wcet) return "";
    const auto longer = [&](const char* level, Femtoseconds said, Cycle took) {
      return clock.edge(took) <= said
                 ? std::string()
                 : fmt::format("{}: wcet_us.{} is {:.2f}, alone a job takes {:.2f} us\n", task.name, level,
                               static_cast<double>(said) * 1e-9, static_cast<double>(clock.edge(took)) * 1e-9);
    };
    return longer("lo", task.wcet->lo, bound.lo ? bound.alone_lo : bound.alone) +
           (task.wcet->hi ? longer("hi", *task.wcet->hi, bound.alone) : "");
  }

  std::optional<std::int64_t> margin() const {
    if (!bound.bound.cycles) return std::nullopt;
    return static_cast<std::int64_t>(*bound.bound.cycles) - static_cast<std::int64_t>(simulated.worst);
  }
  std::optional<bool> by_analysis() const {
    if (!deadline) return std::nullopt;
    return bound.bound.cycles && !simulated.above && *bound.bound.cycles <= *deadline;
  }
  std::optional<bool> broken() const {
    return bound.bound.cycles ? std::optional(simulated.above.has_value()) : std::nullopt;
  }
  /// What is told of the analysis.
  std::string verdict() const {
    if (broken().value_or(false)) return "bound broken";
    if (!deadline) return "-";
    return !bound.bound.cycles ? "not shown" : *by_analysis() ? "met" : "missed";
  }
  std::optional<bool> by_simulation() const { return deadline ? std::optional(simulated.missed == 0) : std::nullopt; }
};

}  // namespace gputlm
