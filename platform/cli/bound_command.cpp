#include <fmt/format.h>

#include <algorithm>

#include "platform/bounds/row.h"
#include "platform/cli/commands.h"
#include "platform/cli/input_arguments.h"
#include "platform/cli/many_runs.h"
#include "platform/files/atomic_file.h"
#include "platform/files/json_text.h"
#include "platform/files/rows.h"
#include "platform/files/terminal.h"
#include "platform/run/check_fits.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

class BoundCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override;
  int execute() override;

 private:
  static void check_same_tasks(const Workload& first, const Workload& other);
  std::vector<BoundRow> rows(const BoundStudy& study, const Workload& workload, const Clock& clock) const;
  static std::string text(const std::vector<BoundRow>& rows, double core_mhz);
  static std::string modes_text(const std::vector<BoundRow>& rows, double core_mhz);

  InputArguments input_;
  std::uint64_t seeds_ = 1, phases_ = 8;
  std::string json_, csv_;
  ManyRuns runs_;
};

void BoundCommand::declare(Arguments& arguments) {
  input_.declare(arguments);
  arguments.number("--seeds", seeds_, "Number of seeds, from --seed on", 10000, 1);
  arguments.number("--phases", phases_,
                   "Runs per seed: releases as in the workload, all first jobs at once, then tasks shifted randomly "
                   "against each other",
                   10000, 1);
  arguments.text("--json", json_, "File for the table as JSON", Values::output());
  arguments.text("--csv", csv_, "File for the table as CSV", Values::output());
  runs_.declare(arguments);
  arguments.example("bound workloads/bounds/tasks.yaml --gpu xavier",
                    "the bound on each task's response time beside the longest simulated one");
  arguments.example("bound workloads/bounds/criticality.yaml --gpu xavier",
                    "the same for tasks of two levels of criticality, in both modes");
  arguments.example("bound workloads/bounds/tasks.yaml --phases 100 --csv bounds.csv",
                    "over a hundred phases; the table as CSV too");
}

/// The seed may change the tasks themselves; common bounds for all seeds then make no sense.
void BoundCommand::check_same_tasks(const Workload& first, const Workload& other) {
  bool same = first.tasks.size() == other.tasks.size() && first.jobs.size() == other.jobs.size() &&
              first.launches.size() == other.launches.size();
  for (std::size_t t = 0; same && t < first.tasks.size(); ++t)
    same = first.tasks[t].name == other.tasks[t].name && first.tasks[t].deadline == other.tasks[t].deadline;
  if (!same)
    throw InputError(
        "--seeds", 0,
        "each seed draws other tasks; allowed with it: 1; gputlm sweep --bounds computes bounds for each seed");
}

std::vector<BoundRow> BoundCommand::rows(const BoundStudy& study, const Workload& workload, const Clock& clock) const {
  std::vector<BoundRow> rows;
  for (std::size_t t = 0; t < workload.tasks.size(); ++t) {
    const TaskSpec& task = workload.tasks[t];
    rows.push_back(
        {task, workload, study.bounds[t], study.simulated[t], Response::deadline_cycles(task.deadline, clock), clock});
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
    reasons += row.too_short();
  }
  return table.text() + reasons;
}

/// For each task, the bounds of mode lo, and what becomes of the task in mode hi.
std::string BoundCommand::modes_text(const std::vector<BoundRow>& rows, double core_mhz) {
  const auto us = [=](std::optional<Cycle> cycles) {
    return cycles ? fmt::format("{:.2f}", static_cast<double>(*cycles) / core_mhz) : std::string("-");
  };
  Table table({{"mode lo"},
               {"criticality"},
               {"alone_lo_us", "us", "", "alone"},
               {"bound_lo_us", "us", "", "bound"},
               {"simulated_lo_us", "us", "", "simulated"},
               {"in mode hi"},
               {"dropped"}});
  for (const BoundRow& row : rows) {
    if (!row.bound.lo) continue;
    const std::string in_hi = row.is_hi()                                 ? "runs"
                              : row.task.in_hi_mode == InHiMode::kDrop    ? "dropped"
                              : row.task.in_hi_mode == InHiMode::kDegrade ? "degraded"
                                                                          : "runs";
    table.add({row.task.name, row.is_hi() ? "hi" : "lo", us(row.bound.alone_lo), us(row.bound.lo->cycles),
               us(row.simulated.worst_lo), in_hi, row.simulated.dropped});
  }
  return table.rows().empty() ? "" : "\n" + table.text();
}

/// Assumptions of the bounds.
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
  const std::vector<std::string>& files = input_.files();
  if (seeds_ > 1 && std::find(files.begin(), files.end(), "-") != files.end())
    throw InputError("--seeds", 0, "standard input can be read only once; allowed with it: 1");
  const LoadedInput first = input_.load();
  std::vector<Workload> workloads{first.input.workload};
  for (std::uint64_t seed = 1; seed < seeds_; ++seed)
    workloads.push_back(input_.load({}, input_.seed() + seed).input.workload);
  for (const Workload& workload : workloads) {
    check_fits(first.config, workload);
    check_same_tasks(workloads.front(), workload);
  }
  std::optional<AtomicFile> json_file, csv_file;  // opened before the runs, so that no result is lost
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
  print(text(tasks, first.config.core_mhz) + modes_text(tasks, first.config.core_mhz));
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
      "For each task the bound on its response times beside the longest of all runs; `tasks` in the file of --json");
  add_command<BoundCommand>("bound", "Bound response times, and compare the bounds with simulations",
                            CommandGroup::kRun);
}

}  // namespace
}  // namespace gputlm
