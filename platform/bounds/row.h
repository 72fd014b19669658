/// A task's bound beside its simulated responses, as it appears in tables and files.
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
    v.field([](const R& r) -> const std::string& { return r.task.name; }, "task", Value{}, "Its name");
    v.field([](const R& r) -> const std::string& { return r.workload.applications[r.task.application].name; },
            "application", Value{}, "Name of its application");
    v.field([](const R& r) -> const std::string& { return r.bound.scheme; }, "scheme", Value{},
            "How its kernels are arbitrated, and the analysis used (docs/bounds.md)");
    v.field([](const R& r) { return r.bound.alone; }, "alone_cycles", kCycles,
            "Longest measured response of a job when nothing else runs");
    v.field([](const R& r) { return r.bound.bound.cycles; }, "bound_cycles", kCycles,
            "Bound on the responses by the analysis; empty if there is none");
    v.field([](const R& r) { return r.bound.bound.why; }, "no_bound", Value{}, "Reason if there is no bound");
    v.field([](const R& r) { return r.simulated.worst; }, "simulated_cycles", kCycles,
            "Longest response of all runs, over seeds and phases");
    v.field(&R::margin, "margin_cycles", Value{"core cycles"},
            "Bound minus longest simulated response; negative: the bound is broken");
    v.field([](const R& r) { return r.simulated.jobs; }, "jobs", Value{"jobs"},
            "Number of jobs that ended, over all runs");
    v.field([](const R& r) { return r.simulated.seed; }, "worst_seed", Value{},
            "Seed of the run with the longest response, counted from 0");
    v.field([](const R& r) { return r.simulated.phase; }, "worst_phase", Value{},
            "Phase of that run: 0 releases as in the workload, 1 all first jobs at once, others random");
    v.field(&R::deadline, "deadline_cycles", kCycles, "Deadline of each of its jobs");
    v.field(&R::by_analysis, "met_by_analysis", Value{}, "Whether the bound is within the deadline and not broken");
    v.field(&R::by_simulation, "met_by_simulation", Value{}, "Whether all jobs of the runs met the deadline");
    v.field(&R::broken, "bound_broken", Value{},
            "Whether a response of the runs exceeds the bound; empty if there is no bound");
    v.field([](const R& r) { return r.simulated.not_kept; }, "not_kept", Value{},
            "If so: the assumption of the analysis that the run violated");
    v.field(in_modes([](const R& r) { return r.is_hi() ? "hi" : "lo"; }), "criticality", Value{},
            "Criticality of the task; this and the following columns only if jobs may overrun");
    v.field(in_modes([](const R& r) { return r.bound.only_in_lo_mode ? "lo" : "any"; }), "bound_of_mode", Value{},
            "`lo`: `bound_cycles` and `simulated_cycles` cover only jobs that ran in mode lo only");
    v.field(in_modes([](const R& r) { return r.bound.alone_lo; }), "alone_lo_cycles", kCycles,
            "Longest response alone of a job that does not overrun");
    v.field([](const R& r) { return r.bound.lo ? r.bound.lo->cycles : std::nullopt; }, "bound_lo_cycles", kCycles,
            "Bound on the responses of jobs that run in mode lo only");
    v.field(in_modes([](const R& r) { return r.simulated.worst_lo; }), "simulated_lo_cycles", kCycles,
            "Longest simulated response of these jobs");
    v.field(in_modes([](const R& r) { return r.simulated.dropped; }), "dropped", Value{"jobs"},
            "Number of jobs that did not begin in mode hi");
  }

  template <class Get>
  static auto in_modes(Get get) {
    return [get](const BoundRow& r) { return r.bound.lo ? std::optional(get(r)) : std::nullopt; };
  }
  bool is_hi() const { return task.criticality == Criticality::kHi; }
  /// The user's budget that a job alone exceeds; empty: none.
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
  /// The analysis in words.
  std::string verdict() const {
    if (broken().value_or(false)) return "bound broken";
    if (!deadline) return "-";
    return !bound.bound.cycles ? "not shown" : *by_analysis() ? "met" : "missed";
  }
  std::optional<bool> by_simulation() const { return deadline ? std::optional(simulated.missed == 0) : std::nullopt; }
};

}  // namespace gputlm
