#include <fmt/format.h>

#include <algorithm>

#include "platform/bounds/study.h"
#include "platform/cli/commands.h"
#include "platform/cli/exit_codes.h"
#include "platform/cli/input_arguments.h"
#include "platform/cli/many_runs.h"
#include "platform/files/atomic_file.h"
#include "platform/files/json_text.h"
#include "platform/files/rows.h"
#include "platform/files/terminal.h"
#include "platform/run/check_fits.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

/// A task in files.
struct BoundRow {
  const TaskSpec& task;
  const Workload& workload;
  const TaskBound& bound;
  const SimulatedTask& simulated;
  std::optional<Cycle> deadline;

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

class BoundCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override;
  int execute() override;

 private:
  std::vector<BoundRow> rows(const BoundStudy& study, const Workload& workload, const Clock& clock) const;
  static std::string text(const std::vector<BoundRow>& rows, double core_mhz);

  InputArguments input_;
  std::uint64_t seeds_ = 1, phases_ = 8;
  std::string json_, csv_;
  ManyRuns runs_;
};

void BoundCommand::declare(Arguments& arguments) {
  input_.declare(arguments);
  arguments.number("--seeds", seeds_, "Runs with so many seeds, from --seed on", 10000);
  arguments.number("--phases", phases_,
                   "Runs of each seed: releases as in the workload, all first jobs at once, and then tasks shifted "
                   "against each other at random",
                   10000);
  arguments.text("--json", json_, "File for the table as JSON", Values::output());
  arguments.text("--csv", csv_, "File for the table as CSV", Values::output());
  runs_.declare(arguments);
  arguments.example("bound workloads/bounds/tasks.yaml --gpu xavier",
                    "for each task the bound of its response times beside the longest that is simulated");
  arguments.example("bound workloads/bounds/tasks.yaml --phases 100 --csv bounds.csv",
                    "over a hundred phases; the table as CSV too");
}

std::vector<BoundRow> BoundCommand::rows(const BoundStudy& study, const Workload& workload, const Clock& clock) const {
  std::vector<BoundRow> rows;
  for (std::size_t t = 0; t < workload.tasks.size(); ++t) {
    const TaskSpec& task = workload.tasks[t];
    rows.push_back(
        {task, workload, study.bounds[t], study.simulated[t], Response::deadline_cycles(task.deadline, clock)});
  }
  return rows;
}

std::string BoundCommand::text(const std::vector<BoundRow>& rows, double core_mhz) {
  const auto us = [=](std::optional<double> cycles) {
    return cycles ? fmt::format("{:.2f}", *cycles / core_mhz) : std::string("-");
  };
  const auto met = [](std::optional<bool> by) { return !by ? "-" : *by ? "met" : "missed"; };
  Table table({{"task"},
               {"scheme"},
               {"alone_us", "us", "", "alone"},
               {"bound_us", "us", "", "bound"},
               {"simulated_us", "us", "", "simulated"},
               {"margin_us", "us", "", "margin"},
               {"deadline_us", "us", "", "deadline"},
               {"analysis"},
               {"simulation"}});
  std::string reasons;
  for (const BoundRow& row : rows) {
    table.add({row.task.name, row.bound.scheme, us(static_cast<double>(row.bound.alone)),
               us(row.bound.bound.cycles ? std::optional<double>(*row.bound.bound.cycles) : std::nullopt),
               us(static_cast<double>(row.simulated.worst)),
               us(row.margin() ? std::optional<double>(*row.margin()) : std::nullopt),
               us(row.deadline ? std::optional<double>(*row.deadline) : std::nullopt), row.verdict(),
               met(row.by_simulation())});
    if (!row.simulated.not_kept.empty())
      reasons += fmt::format("{}: bound broken: {}\n", row.task.name, row.simulated.not_kept);
    if (!row.bound.bound.cycles) reasons += fmt::format("{}: {}\n", row.task.name, row.bound.bound.why);
  }
  return table.text() + reasons;
}

/// What the bounds rest upon.
constexpr const char* kAssumptions =
    "times in us. A bound holds if\n"
    "  - no job takes longer alone than measured (not proved);\n"
    "  - a kernel takes no longer beside others than alone: so it is for blocks that spin or only compute on SMs of "
    "their\n"
    "    own; shared SMs, caches, crossbar and DRAM break it;\n"
    "  - releases of a task are no closer than min_interarrival_us says, or else than in the runs;\n"
    "  - no switch that takes blocks off the SMs takes longer than the longest of the runs (time slices that end at "
    "an\n"
    "    instruction boundary).\n";

int BoundCommand::execute() {
  if (seeds_ == 0) throw InputError("--seeds", 0, "found 0, allowed: 1 to 10000");
  if (phases_ == 0) throw InputError("--phases", 0, "found 0, allowed: 1 to 10000");
  const std::vector<std::string>& files = input_.files();
  if (seeds_ > 1 && std::find(files.begin(), files.end(), "-") != files.end())
    throw InputError("--seeds", 0, "standard input can be read once only, allowed with it: 1");
  const LoadedInput first = input_.load();
  std::vector<Workload> workloads{first.input.workload};
  for (std::uint64_t seed = 1; seed < seeds_; ++seed)
    workloads.push_back(input_.load({}, input_.seed() + seed).input.workload);
  for (const Workload& workload : workloads) check_fits(first.config, workload);
  std::optional<AtomicFile> json_file, csv_file;  // opened before the runs, so that their results are not lost
  if (!json_.empty()) json_file.emplace(json_);
  if (!csv_.empty()) csv_file.emplace(csv_);
  runs_.begin();
  runs_.name("bound");
  JobOptions jobs;
  runs_.set(jobs);
  const BoundStudy study = study_bounds(first.config, workloads, phases_, jobs);
  const std::string made = runs_.end();
  const Clock clock = Clock::from_mhz(first.config.core_mhz);
  const std::vector<BoundRow> tasks = rows(study, first.input.workload, clock);
  if (json_file) {
    auto json = nlohmann::ordered_json::object();
    json["runs"] = study.runs;
    auto& list = json["tasks"] = nlohmann::ordered_json::array();
    for (const BoundRow& row : tasks) list.push_back(row_json(row));
    json_file->write(json_text(json));
    json_file->commit();
  }
  if (csv_file) {
    fmt::memory_buffer csv;
    for (const BoundRow& row : tasks) write_csv_row(csv, row);
    csv_file->write(csv_header<BoundRow>() + fmt::to_string(csv));
    csv_file->commit();
  }
  print(text(tasks, first.config.core_mhz));
  print(fmt::format("{} runs; {}", study.runs, kAssumptions));
  print_error(made);
  int code = kDone;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const auto& above = study.simulated[t].above;
    if (!above) continue;
    print_failure(fmt::format("{}: bound broken: a job took {} cycles, its bound is {}", tasks[t].task.name,
                              above->response, above->bound));
    code = kDisagrees;
  }
  return code;
}

GPUTLM_REGISTER {
  add_row_table<BoundRow>(
      "gputlm bound --csv",
      "For each task the bound of its response times beside the longest of all runs; `tasks` in the "
      "file of --json");
  add_command<BoundCommand>("bound", "Bounds of response times beside the longest simulated ones", CommandGroup::kRun);
}

}  // namespace
}  // namespace gputlm
