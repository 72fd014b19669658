#include "platform/cli/summary.h"

#include <fmt/format.h>

#include <algorithm>

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
  return text;
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
  if (result.applications.size() > 1) text += "\n" + application_lines(result, workload);
  std::uint64_t instructions = 0, ended = 0, deadlines = 0, met = 0;
  for (const ApplicationRecord& application : result.applications) instructions += application.counters.instructions;
  for (const KernelRecord& kernel : result.kernels) {
    ended += kernel.iteration == 0;
    const std::optional<bool> in_time = deadline_met(kernel, workload, clock);
    deadlines += in_time.has_value();
    met += in_time.value_or(false);
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
  if (deadlines > 0) text += fmt::format("Deadlines: {} of {} met\n", met, deadlines);
  return text;
}

}  // namespace gputlm
