#include "platform/cli/summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/run/responses.h"

namespace gputlm {
namespace {

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return whole ? fmt::format("{:.1f}%", 100.0 * static_cast<double>(part) / static_cast<double>(whole)) : "-";
}

/// A line for each application: what it did in the whole run, cut launches included.
std::string application_lines(const RunResult& result, const Workload& workload) {
  std::size_t name = 11;
  for (const ApplicationSpec& application : workload.applications) name = std::max(name, application.name.size());
  std::string text = fmt::format("{:<{}} {:>14} {:>7} {:>11} {:>12}\n", "application", name, "instructions", "IPC",
                                 "times ended", "first end");
  for (std::size_t a = 0; a < result.applications.size(); ++a) {
    const ApplicationRecord& record = result.applications[a];
    text += fmt::format("{:<{}} {:>14} {:>7.3f} {:>11} {:>12}\n", workload.applications[a].name, name,
                        record.counters.instructions, ipc(result, static_cast<ApplicationId>(a)), record.iterations,
                        record.first_end == kNever ? "-" : std::to_string(record.first_end));
  }
  return text;
}

/// A line for each application that had slices of the execution engine.
std::string engine_lines(const RunResult& result, const GpuConfig& config, const Workload& workload) {
  std::size_t name = 11;
  for (const ApplicationSpec& application : workload.applications) name = std::max(name, application.name.size());
  std::string text = fmt::format("{:<{}} {:>8} {:>12} {:>14} {:>17} {:>11}\n", "application", name, "slices", "on [us]",
                                 "switching [us]", "blocks preempted", "saved [KB]");
  const auto us = [&](Cycle cycles) { return static_cast<double>(cycles) / config.core_mhz; };
  for (std::size_t a = 0; a < result.engine.size(); ++a) {
    const EngineStatistics& engine = result.engine[a];
    text += fmt::format("{:<{}} {:>8} {:>12.3f} {:>14.3f} {:>17} {:>11.1f}\n", workload.applications[a].name, name,
                        engine.slices, us(engine.on_cycles), us(engine.switch_cycles), engine.preempted_blocks,
                        static_cast<double>(engine.saved_bytes) / 1e3);
  }
  return text;
}

/// A line for each copy.
std::string copy_lines(const RunResult& result, const GpuConfig& config, const Workload& workload, std::size_t most) {
  const Clock clock = Clock::from_mhz(config.core_mhz);
  std::string text = fmt::format("{:<16} {:<16} {:>12} {:>6} {:>12} {:>12} {:>12} {:>12} {:>8}\n", "copy", "kind",
                                 "bytes", "engine", "submitted", "started", "end", "time [us]", "GB/s");
  for (std::size_t i = 0; i < std::min(most, result.copies.size()); ++i) {
    const CopyRecord& c = result.copies[i];
    const CopyCommand& copy = workload.copies[c.command];
    const double ns = static_cast<double>(clock.edge(c.ended - c.started)) / 1e6;
    text += fmt::format("{:<16} {:<16} {:>12} {:>6} {:>12} {:>12} {:>12} {:>12.3f} {:>8.2f}\n",
                        copy_label(workload, c.command, c.iteration), to_string(copy.kind), copy.bytes, c.engine,
                        c.submitted, c.started, c.ended, ns / 1e3, ns > 0 ? static_cast<double>(copy.bytes) / ns : 0.0);
  }
  if (result.copies.size() > most) text += fmt::format("... and {} more copies\n", result.copies.size() - most);
  if (const Bytes passed_over = result.copying.engines.passed_over; passed_over > 0) {
    text +=
        fmt::format("{} bytes, alone on the GPU, took their time but were not moved one by one (copy_engine.detail)\n",
                    passed_over);
  }
  return text;
}

/// A line for each task: how long its jobs took from their releases.
std::string task_lines(const RunResult& result, const Workload& workload, const Clock& clock, std::size_t most) {
  std::size_t name = 4;
  for (const TaskSpec& task : workload.tasks) name = std::max(name, task.name.size());
  std::string text = fmt::format("{:<{}} {:>8} {:>12} {:>12} {:>12} {:>12} {:>12} {:>12} {:>8}  {}\n", "task", name,
                                 "jobs", "min [us]", "mean", "p50", "p95", "p99", "max", "missed", "worst");
  const auto us = [&](Cycle cycles) { return static_cast<double>(clock.edge(cycles)) / 1e9; };
  const std::vector<Responses> all = responses(result, workload, clock);
  for (std::size_t t = 0; t < std::min(most, all.size()); ++t) {
    const Responses& r = all[t];
    text += fmt::format("{:<{}} {:>8}", workload.tasks[t].name, name, r.jobs);
    if (r.jobs > 0) {
      text += fmt::format(" {:>12.3f} {:>12.3f} {:>12.3f} {:>12.3f} {:>12.3f} {:>12.3f} {:>8}  {}", us(r.least),
                          r.mean * us(1), us(r.p50), us(r.p95), us(r.p99), us(r.most),
                          workload.tasks[t].deadline ? fmt::to_string(r.missed) : "-",
                          job_label(workload, r.worst.job, r.worst.iteration));
    }
    text += "\n";
  }
  if (all.size() > most) text += fmt::format("... and {} more tasks\n", all.size() - most);
  return text;
}

std::string deadline_line(const RunResult& result, const Workload& workload, const Clock& clock) {
  std::uint64_t deadlines = 0, missed = 0;
  const std::vector<Responses> all = responses(result, workload, clock);
  for (std::size_t t = 0; t < all.size(); ++t) {
    if (!workload.tasks[t].deadline) continue;
    deadlines += all[t].jobs;
    missed += all[t].missed;
  }
  return deadlines ? fmt::format("Deadlines: {} of {} met\n", deadlines - missed, deadlines) : "";
}

}  // namespace

std::string summary(const RunResult& result, const GpuConfig& config, const Workload& workload, std::size_t most) {
  const Clock clock = Clock::from_mhz(config.core_mhz);
  const auto microseconds = [&](Cycle cycles) { return static_cast<double>(clock.edge(cycles)) / 1e9; };
  std::size_t label = 6, stream = 6;
  for (std::size_t i = 0; i < std::min(most, result.kernels.size()); ++i) {
    const KernelRecord& k = result.kernels[i];
    label = std::max(label, launch_label(workload, k.command, k.iteration).size());
    stream = std::max(stream, workload.streams[workload.launches[k.command].stream].name.size());
  }
  std::string text =
      fmt::format("{:<{}}  {:<{}} {:>7} {:>12} {:>12} {:>12} {:>12} {:>7} {:>7} {:>7}\n", "kernel", label, "stream",
                  stream, "blocks", "launch", "first block", "end", "time [us]", "IPC", "L1 hit", "L2 hit");
  for (std::size_t i = 0; i < std::min(most, result.kernels.size()); ++i) {
    const KernelRecord& k = result.kernels[i];
    const BlockCounters& c = k.counters;
    const LaunchCommand& launch = workload.launches[k.command];
    const Cycle cycles = k.end - k.first_block;
    text += fmt::format("{:<{}}  {:<{}} {:>7} {:>12} {:>12} {:>12} {:>12.3f} {:>7.3f} {:>7} {:>7}\n",
                        launch_label(workload, k.command, k.iteration), label, workload.streams[launch.stream].name,
                        stream, launch.kernel->blocks(), k.submitted, k.first_block, k.end, microseconds(cycles),
                        cycles ? static_cast<double>(c.instructions) / static_cast<double>(cycles) : 0.0,
                        percent(c.l1_sector_hits, c.l1_sector_hits + c.l1_sector_misses),
                        percent(c.l2_read_hits, c.l2_read_hits + c.l2_read_misses));
  }
  for (const UnfinishedKernel& kernel : result.unfinished) {
    text +=
        fmt::format("{}: {} of {} blocks ended, {} running\n", launch_label(workload, kernel.command, kernel.iteration),
                    kernel.blocks_ended, workload.launches[kernel.command].kernel->blocks(), kernel.blocks_running);
  }
  if (result.kernels.size() > most) text += fmt::format("... and {} more kernels\n", result.kernels.size() - most);
  if (!workload.copies.empty()) text += "\n" + copy_lines(result, config, workload, most);
  if (!workload.tasks.empty()) text += "\nResponses\n" + task_lines(result, workload, clock, most);
  if (result.applications.size() > 1) text += "\n" + application_lines(result, workload);
  if (!result.engine.empty()) text += "\n" + engine_lines(result, config, workload);
  std::uint64_t instructions = 0, ended = 0;
  for (const ApplicationRecord& application : result.applications) instructions += application.counters.instructions;
  for (const KernelRecord& kernel : result.kernels) {
    ended += kernel.iteration == 0;
  }
  const DramStatistics dram = sum(result.channels);
  const std::uint64_t bytes = (dram.reads + dram.writes) * config.dram.burst_bytes;
  const double seconds = microseconds(result.cycles) * 1e-6;
  text += fmt::format(
      "\n{}: {} cycles ({:.3f} us), {} warp instructions, {} of {} kernels ended\n"
      "DRAM: {:.2f} MB, {:.1f} GB/s, row hits {}, conflicts {}\n",
      config.name, result.cycles, microseconds(result.cycles), instructions, ended, workload.launches.size(),
      static_cast<double>(bytes) / 1e6, seconds > 0 ? static_cast<double>(bytes) / seconds / 1e9 : 0.0,
      percent(dram.row_hits, dram.row_hits + dram.row_misses + dram.row_conflicts),
      percent(dram.row_conflicts, dram.row_hits + dram.row_misses + dram.row_conflicts));
  if (const FaultStatistics& faults = result.translation.mmu.faults; faults.handled > 0) {
    text += fmt::format("Unified memory: {} far faults in {} batches, {:.2f} MB to the GPU, {:.2f} MB back\n",
                        faults.handled, faults.batches, static_cast<double>(faults.migrated_in) / 1e6,
                        static_cast<double>(faults.migrated_out) / 1e6);
  }
  text += deadline_line(result, workload, clock);
  return text;
}

}  // namespace gputlm
