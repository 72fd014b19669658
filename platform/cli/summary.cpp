#include "platform/cli/summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/copy_engine/core.h"
#include "models/dram/statistics.h"
#include "models/mmu/core.h"
#include "platform/files/table.h"
#include "platform/run/instances.h"
#include "platform/run/responses.h"

namespace gputlm {
namespace {

TableColumn name(const char* title) { return {title, "", "", "", -1, Column::Form::kName}; }
/// A right-aligned column; `digits`: decimals of real numbers.
TableColumn number(const char* title, int digits = -1) { return {title, "", "", "", digits, Column::Form::kNumber}; }

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return whole ? fmt::format("{:.1f}%", 100.0 * static_cast<double>(part) / static_cast<double>(whole)) : "-";
}

/// One line per application: its activity in the whole run, including unfinished launches.
std::string application_lines(const RunResult& result, const Workload& workload) {
  Table table(
      {name("application"), number("instructions"), number("IPC", 3), number("times ended"), number("first end")});
  for (std::size_t a = 0; a < result.applications.size(); ++a) {
    const ApplicationRecord& record = result.applications[a];
    table.add({workload.applications[a].name, record.counters.instructions, ipc(result, static_cast<ApplicationId>(a)),
               record.iterations, record.first_end == kNever ? Cell("-") : Cell(record.first_end)});
  }
  return table.text();
}

/// One line per application that had slices of the execution engine.
std::string engine_lines(const RunResult& result, const GpuConfig& config, const Workload& workload) {
  const auto us = [&](Cycle cycles) { return static_cast<double>(cycles) / config.core_mhz; };
  const auto engines = result.units.by_application<EngineStatistics>();
  Table table({name("application"), number("slices"), number("on [us]", 3), number("switching [us]", 3),
               number("blocks preempted"), number("saved [KB]", 1)});
  for (std::size_t a = 0; a < engines.size(); ++a) {
    const EngineStatistics& engine = engines[a];
    table.add({workload.applications[a].name, engine.slices, us(engine.on_cycles), us(engine.switch_cycles),
               engine.preempted_blocks, static_cast<double>(engine.saved_bytes) / 1e3});
  }
  return table.text();
}

/// One line per copy.
std::string copy_lines(const RunResult& result, const GpuConfig& config, const Workload& workload, std::size_t most) {
  const Clock clock = Clock::from_mhz(config.core_mhz);
  const GpuParts gpus(config, workload);
  Table table({name("copy"),
               {"kind"},
               number("bytes"),
               number("engine"),
               number("submitted"),
               number("started"),
               number("end"),
               number("time [us]", 3),
               number("GB/s", 2)});
  for (std::size_t i = 0; i < std::min(most, result.copies.size()); ++i) {
    const CopyRecord& c = result.copies[i];
    const CopyCommand& copy = workload.copies[c.command];
    const double ns = static_cast<double>(clock.edge(c.ended - c.started)) / 1e6;
    table.add({copy_label(workload, c.command, c.iteration), to_string(copy.kind), copy.bytes,
               c.engine == gpus.gpu_of(workload.streams[copy.stream].application).copy_engine.engines ? Cell("SMs")
                                                                                                      : Cell(c.engine),
               c.submitted, c.started, c.ended, ns / 1e3, ns > 0 ? static_cast<double>(copy.bytes) / ns : 0.0});
  }
  std::string text = table.text();
  if (result.copies.size() > most) text += fmt::format("... and {} more copies\n", result.copies.size() - most);
  if (const Bytes passed_over = result.units.total<CopyEngineStatistics>().passed_over; passed_over > 0) {
    text +=
        fmt::format("{} bytes, alone on the GPU, took their time but were not moved one by one (copy_engine.detail)\n",
                    passed_over);
  }
  return text;
}

/// One line per launch: the first `most` by start.
std::string kernel_lines(const RunResult& result, const Workload& workload, const Clock& clock, std::size_t most) {
  std::vector<const KernelRecord*> kernels;
  for (const KernelRecord& kernel : result.kernels) kernels.push_back(&kernel);
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const KernelRecord* a, const KernelRecord* b) { return a->first_block < b->first_block; });
  const bool judged = std::any_of(workload.launches.begin(), workload.launches.end(),
                                  [](const LaunchCommand& launch) { return launch.deadline.has_value(); });
  const auto us = [&](Cycle cycles) { return static_cast<double>(clock.edge(cycles)) / 1e9; };
  std::vector<TableColumn> columns{name("kernel"), name("stream"), number("blocks")};
  if (!judged) columns.push_back(number("launch"));  // if there is room for it
  columns.insert(columns.end(), {number("start"), number("end"), number("time [us]", 3)});
  if (judged) columns.insert(columns.end(), {number("response", 3), number("deadline", 3), name("met")});
  columns.push_back(number("IPC", 3));
  if (!judged) columns.insert(columns.end(), {number("L1 hit"), number("L2 hit")});
  Table table(std::move(columns));
  for (std::size_t i = 0; i < std::min(most, kernels.size()); ++i) {
    const KernelRecord& k = *kernels[i];
    const BlockCounters& c = k.counters;
    const LaunchCommand& launch = workload.launches[k.command];
    const StreamSpec& stream = workload.streams[launch.stream];
    const std::string application =
        workload.applications.size() > 1 ? workload.applications[stream.application].name + "/" : std::string();
    std::vector<Cell> row{launch_label(workload, k.command, k.iteration), application + stream.name,
                          launch.kernel->blocks()};
    if (!judged) row.emplace_back(k.submitted);
    row.insert(row.end(), {k.first_block, k.end, us(k.execution())});
    if (judged) {
      const Response response = KernelRow{k, workload, clock}.response();
      const auto met = response.met();
      row.insert(row.end(), {us(response.cycles), response.deadline ? Cell(us(*response.deadline)) : Cell("-"),
                             met ? (*met ? "yes" : "no") : "-"});
    }
    row.emplace_back(ipc(c.instructions, k.execution()));
    if (!judged) {
      row.insert(row.end(), {percent(c.l1_sector_hits, c.l1_sector_hits + c.l1_sector_misses),
                             percent(c.l2_read_hits, c.l2_read_hits + c.l2_read_misses)});
    }
    table.add(std::move(row));
  }
  std::string text = table.text();
  if (kernels.size() > most) text += fmt::format("... and {} more kernels, in kernels.csv\n", kernels.size() - most);
  return text;
}

/// Response times of tasks and of repeated launches, and of applications if there are several. Empty if nothing is repeated
/// or has a deadline.
std::string response_lines(const AllResponses& all, const Workload& workload, const Clock& clock, std::size_t most) {
  const auto us = [&](Cycle cycles) { return static_cast<double>(clock.edge(cycles)) / 1e9; };
  Table table({name("responses [us]"), number("jobs"), number("min", 3), number("mean", 3), number("p50", 3),
               number("p95", 3), number("p99", 3), number("max", 3), number("met"), name("worst")});
  std::size_t left_out = 0;
  const auto add = [&](const std::string& of, const ResponseGroup& group) {
    const Responses& r = group.responses;
    if (r.jobs == 0) return;
    if (table.rows().size() == most) {
      ++left_out;
      return;
    }
    table.add({of + " " + group.name, r.jobs, us(r.least), r.mean * static_cast<double>(clock.period()) / 1e9,
               us(r.p50), us(r.p95), us(r.p99), us(r.most),
               r.deadlines ? fmt::format("{}/{}", r.deadlines - r.missed, r.deadlines) : "-", r.worst});
  };
  const auto is_task = [&](const ResponseGroup& launch) {
    return std::any_of(all.tasks.begin(), all.tasks.end(), [&](const ResponseGroup& task) {
      return task.name == launch.name && task.application == launch.application;
    });
  };
  for (const ResponseGroup& task : all.tasks) add("task", task);
  for (const ResponseGroup& launch : all.launches) {
    if (launch.responses.jobs > 1 && !is_task(launch)) add("launch", launch);
  }
  if (table.rows().empty()) return "";
  if (workload.applications.size() > 1) {
    for (const ResponseGroup& application : all.applications) add("application", application);
  }
  std::string text = "\n" + table.text();
  if (left_out > 0) text += fmt::format("... and {} more, in responses.csv\n", left_out);
  return text;
}

std::string deadline_line(const AllResponses& all) {
  std::uint64_t deadlines = 0, missed = 0;
  for (const ResponseGroup& application : all.applications) {
    deadlines += application.responses.deadlines;
    missed += application.responses.missed;
  }
  return deadlines ? fmt::format("Deadlines: {} of {} met\n", deadlines - missed, deadlines) : "";
}

}  // namespace

std::string summary(const RunResult& result, const GpuConfig& config, const Workload& workload, std::size_t most) {
  const Clock clock = Clock::from_mhz(config.core_mhz);
  const auto microseconds = [&](Cycle cycles) { return static_cast<double>(clock.edge(cycles)) / 1e9; };
  const AllResponses responses = all_responses(result, workload, clock);
  std::string text = kernel_lines(result, workload, clock, most);
  for (const UnfinishedKernel& kernel : result.unfinished) {
    text +=
        fmt::format("{}: {} of {} blocks ended, {} running\n", launch_label(workload, kernel.command, kernel.iteration),
                    kernel.blocks_ended, workload.launches[kernel.command].kernel->blocks(), kernel.blocks_running);
  }
  if (!workload.copies.empty()) text += "\n" + copy_lines(result, config, workload, most);
  text += response_lines(responses, workload, clock, most);
  if (result.applications.size() > 1) text += "\n" + application_lines(result, workload);
  if (!result.units.all<EngineStatistics>().empty()) text += "\n" + engine_lines(result, config, workload);
  std::uint64_t instructions = 0, ended = 0;
  for (const ApplicationRecord& application : result.applications) instructions += application.counters.instructions;
  for (const KernelRecord& kernel : result.kernels) {
    ended += kernel.iteration == 0;
  }
  const auto dram = result.units.total<DramStatistics>();
  const std::uint64_t bytes = (dram.reads + dram.writes) * config.dram.burst_bytes;
  const double seconds = microseconds(result.cycles) * 1e-6;
  text += fmt::format(
      "\n{}: {} cycles ({:.3f} us), {} warp instructions, {} of {} kernels ended\n"
      "DRAM: {:.2f} MB, {:.1f} GB/s, row hits {}, conflicts {}\n",
      config.name, result.cycles, microseconds(result.cycles), instructions, ended, workload.launches.size(),
      static_cast<double>(bytes) / 1e6, seconds > 0 ? static_cast<double>(bytes) / seconds / 1e9 : 0.0,
      percent(dram.row_hits, dram.row_hits + dram.row_misses + dram.row_conflicts),
      percent(dram.row_conflicts, dram.row_hits + dram.row_misses + dram.row_conflicts));
  if (const FaultStatistics faults = result.units.total<MmuStatistics>().faults; faults.handled > 0) {
    text += fmt::format("Unified memory: {} far faults in {} batches, {:.2f} MB to the GPU, {:.2f} MB back\n",
                        faults.handled, faults.batches, static_cast<double>(faults.migrated_in) / 1e6,
                        static_cast<double>(faults.migrated_out) / 1e6);
  }
  text += deadline_line(responses);
  return text;
}

}  // namespace gputlm
