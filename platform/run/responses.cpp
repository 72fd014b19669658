#include "platform/run/responses.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/files/rows.h"
#include "platform/files/table.h"
#include "platform/probes/response_groups.h"
#include "platform/run/result_json.h"

namespace gputlm {
namespace {

GPUTLM_REGISTER {
  add_row_table<ResponseRow>(
      "responses.csv",
      "Response times, from release until the host notices the end: a line for each application, then for each task, "
      "then for each launch. `responses` of result.json has the same, as lists `applications`, `tasks` and `launches`");
}

const char* text_of(bool hi) { return hi ? "hi" : "lo"; }
const char* text_of(Criticality level) { return text_of(level == Criticality::kHi); }

/// None if no job has ended.
std::optional<Cycle> rank(const std::vector<Cycle>& times, Quantile quantile) {
  if (times.empty()) return std::nullopt;
  return times[nearest_rank(times.size(), quantile) - 1];
}

/// A task's jobs in a mode, as they are written to files.
struct ModeRow {
  const ModeResponses& of;
  const Workload& workload;

  const TaskSpec& task() const { return workload.tasks[of.task]; }

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = ModeRow;
    constexpr Value kJobs{"jobs"};
    const auto at = [](Quantile quantile) { return [quantile](const R& r) { return rank(r.of.times, quantile); }; };
    v.field([](const R& r) -> const std::string& { return r.task().name; }, "task", Value{}, "Its name");
    v.field([](const R& r) -> const std::string& { return r.workload.applications[r.task().application].name; },
            "application", Value{}, "Name of its application");
    v.field([](const R& r) { return text_of(r.task().criticality); }, "criticality", Value{}, "Level of the task");
    v.field([](const R& r) { return text_of(r.of.hi_mode); }, "mode", Value{},
            "`lo`: jobs that ran in mode lo only; `hi`: jobs that ran in mode hi at some time, or were dropped");
    v.field([](const R& r) { return r.of.times.size(); }, "jobs", kJobs, "Number of jobs that ended");
    v.field([](const R& r) { return r.of.overran; }, "overran", kJobs, "Number of these that exceeded their budget");
    v.field([](const R& r) { return r.of.dropped; }, "dropped", kJobs, "Number of jobs that did not begin");
    v.field([](const R& r) { return r.of.deadlines; }, "deadlines", kJobs, "Number of jobs with a deadline that ended");
    v.field([](const R& r) { return r.of.missed; }, "missed", kJobs, "Number of these that missed it");
    v.field(at({50, 100}), "p50_cycles", kCycles, "Median response time, by nearest rank");
    v.field(at({99, 100}), "p99_cycles", kCycles, "99th percentile of the response times");
    v.field([](const R& r) { return rank(r.of.times, {1, 1}); }, "max_cycles", kCycles, "Longest response time");
  }
};

/// The modes of a run.
struct ModesRow {
  const CriticalityOutcome& of;
  const Workload& workload;
  Cycle cycles;

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = ModesRow;
    v.field([](const R& r) { return r.of.changes; }, "mode_changes", Value{"changes"},
            "Number of changes from mode lo to hi");
    v.field([](const R& r) { return r.of.hi_mode; }, "hi_mode_cycles", kCycles,
            "Time in mode hi, up to the end of the run");
    v.field([](const R& r) { return r.cycles ? static_cast<double>(r.of.hi_mode) / static_cast<double>(r.cycles) : 0; },
            "hi_mode_share", Value{}, "Its share of the run's cycles");
    v.field([](const R& r) { return r.of.dropped(); }, "dropped", Value{"jobs"},
            "Number of jobs that did not begin because the mode was hi");
    v.field([](const R& r) { return r.of.missed(r.workload, Criticality::kHi); }, "missed_hi", Value{"jobs"},
            "Number of missed deadlines of tasks of criticality hi");
    v.field([](const R& r) { return r.of.missed(r.workload, Criticality::kLo); }, "missed_lo", Value{"jobs"},
            "The same for criticality lo, of jobs that ended");
  }
};

bool has_jobs(const ModeResponses& of) { return !of.times.empty() || of.dropped > 0; }

std::string text(const CriticalityOutcome& outcome, const GpuConfig& config, const Workload& workload, Cycle cycles) {
  const auto us = [&](std::optional<Cycle> at) {
    return at ? Cell(static_cast<double>(*at) / config.core_mhz) : Cell("-");
  };
  const auto number = [](const char* title) { return TableColumn{title, "", "", "", 3, Column::Form::kNumber}; };
  Table table({{"levels [us]"},
               {"criticality"},
               {"mode"},
               number("jobs"),
               number("overran"),
               number("dropped"),
               number("p50"),
               number("p99"),
               number("max"),
               number("missed")});
  for (const ModeResponses& of : outcome.responses) {
    if (!has_jobs(of)) continue;
    const ModeRow row{of, workload};
    table.add({row.task().name, text_of(row.task().criticality), text_of(of.hi_mode), of.times.size(), of.overran,
               of.dropped, us(rank(of.times, {50, 100})), us(rank(of.times, {99, 100})), us(rank(of.times, {1, 1})),
               of.deadlines > 0 ? Cell(of.missed) : Cell("-")});
  }
  const double share = cycles ? 100.0 * static_cast<double>(outcome.hi_mode) / static_cast<double>(cycles) : 0;
  return "\n" + table.text() +
         fmt::format("Mode hi: {} change{}, {:.3f} us ({:.1f} % of the run); {} jobs dropped", outcome.changes,
                     outcome.changes == 1 ? "" : "s", static_cast<double>(outcome.hi_mode) / config.core_mhz, share,
                     outcome.dropped());
}

GPUTLM_REGISTER {
  add_row_table<ModesRow>("result.json: criticality", "Modes of a run whose jobs may overrun; only of such a workload");
  add_row_table<ModeRow>("result.json: criticality, tasks", "Jobs by task and mode");
  ResultSection section;
  section.name = "criticality";
  section.json = [](const RunResult& result, const GpuConfig& config, const Workload& workload) {
    nlohmann::ordered_json json;
    if (!workload.has_modes()) return json;
    const CriticalityOutcome outcome = criticality_outcome(result, workload, Clock::from_mhz(config.core_mhz));
    json = row_json(ModesRow{outcome, workload, result.cycles});
    json["tasks"] = nlohmann::ordered_json::array();
    for (const ModeResponses& of : outcome.responses) json["tasks"].push_back(row_json(ModeRow{of, workload}));
    return json;
  };
  section.lines = [](const RunResult& result, const GpuConfig& config, const Workload& workload) {
    std::vector<std::string> lines;
    if (!workload.has_modes()) return lines;
    const CriticalityOutcome outcome = criticality_outcome(result, workload, Clock::from_mhz(config.core_mhz));
    lines.push_back(text(outcome, config, workload, result.cycles));
    return lines;
  };
  result_sections().add(std::move(section));
}

}  // namespace

AllResponses all_responses(const RunResult& result, const Workload& workload, const Clock& clock) {
  ResponseCollector responses(workload, clock);
  for (const JobEnded& job : result.jobs) responses.add(job);
  for (const KernelRecord& kernel : result.kernels) responses.add(kernel);
  return responses.end();
}

std::string responses_csv(const AllResponses& all, const Workload& workload) {
  fmt::memory_buffer text;
  for_each_response(all, workload, [&](const ResponseRow& row) { write_csv_row(text, row); });
  return csv_header<ResponseRow>() + fmt::to_string(text);
}

std::uint64_t CriticalityOutcome::missed(const Workload& workload, Criticality level) const {
  std::uint64_t all = 0;
  for (const ModeResponses& of : responses) all += workload.tasks[of.task].criticality == level ? of.missed : 0;
  return all;
}

std::uint64_t CriticalityOutcome::dropped() const {
  std::uint64_t all = 0;
  for (const ModeResponses& of : responses) all += of.dropped;
  return all;
}

CriticalityOutcome criticality_outcome(const RunResult& result, const Workload& workload, const Clock& clock) {
  CriticalityOutcome outcome;
  for (std::uint32_t task = 0; task < workload.tasks.size(); ++task) {
    outcome.responses.push_back({task, false});
    outcome.responses.push_back({task, true});
  }
  for (const JobEnded& job : result.jobs) {
    const JobSpec& spec = workload.jobs[job.job];
    ModeResponses& of = outcome.responses[2 * spec.task + job.in_hi_mode];
    const Response response(job.released, job.notified, workload.tasks[spec.task].deadline, clock);
    of.times.push_back(response.cycles);
    of.overran += spec.overruns;
    of.deadlines += response.deadline.has_value();
    of.missed += !response.met().value_or(true);
  }
  for (const JobDropped& job : result.dropped) ++outcome.responses[2 * workload.jobs[job.job].task + 1].dropped;
  for (ModeResponses& of : outcome.responses) std::sort(of.times.begin(), of.times.end());
  Cycle since = kNever;
  const auto leave = [&](Cycle at) {
    if (at > since) outcome.hi_mode += at - since;
    since = kNever;
  };
  for (const ModeChange& change : result.mode_changes) {
    outcome.changes += change.hi;
    if (change.hi) since = change.at;
    if (!change.hi) leave(change.at);
  }
  leave(result.cycles);
  return outcome;
}

}  // namespace gputlm
