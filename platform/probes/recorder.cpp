#include "platform/probes/recorder.h"

#include <algorithm>
#include <map>

#include "platform/files/csv.h"

namespace gputlm {
namespace {

/// What the launches under way have done so far, in the order of their ids.
std::vector<UnfinishedKernel> unfinished_kernels(const std::vector<const KernelLaunch*>& running,
                                                 const std::vector<const BlockLaunch*>& outstanding) {
  std::map<KernelId, UnfinishedKernel> kernels;
  for (const KernelLaunch* launch : running) {
    UnfinishedKernel& kernel = kernels[launch->identity.kernel];
    kernel.id = launch->identity.kernel;
    kernel.command = launch->command;
    kernel.iteration = launch->iteration;
    kernel.submitted = launch->submitted;
    kernel.blocks_ended = launch->blocks_ended;
    if (launch->blocks_ended > 0) kernel.first_block = launch->first_block;
    kernel.counters = launch->counters;
  }
  for (const BlockLaunch* block : outstanding) {
    UnfinishedKernel& kernel = kernels.at(block->identity.kernel);
    ++kernel.blocks_running;
    if (block->start > 0) kernel.first_block = std::min(kernel.first_block, block->start);
    kernel.counters += block->counters;
  }
  std::vector<UnfinishedKernel> list;
  list.reserve(kernels.size());
  for (const auto& [id, kernel] : kernels) list.push_back(kernel);
  return list;
}

std::vector<ApplicationRecord> application_records(const Workload& workload, const RunResult& result) {
  std::vector<ApplicationRecord> records(workload.applications.size());
  std::vector<std::uint64_t> launches(records.size()), ended(records.size()), ended_first(records.size());
  std::vector<Cycle> end(records.size());
  const auto application = [&](std::uint32_t command) {
    return workload.streams[workload.launches[command].stream].application;
  };
  for (std::size_t i = 0; i < workload.launches.size(); ++i) ++launches[application(static_cast<std::uint32_t>(i))];
  for (const KernelRecord& kernel : result.kernels) {
    const ApplicationId a = application(kernel.command);
    records[a].counters += kernel.counters;
    ++ended[a];
    if (kernel.iteration > 0) continue;
    ++ended_first[a];
    end[a] = std::max(end[a], kernel.end);
  }
  for (const UnfinishedKernel& kernel : result.unfinished)
    records[application(kernel.command)].counters += kernel.counters;
  for (std::size_t a = 0; a < records.size(); ++a) {
    if (launches[a] == 0) continue;
    records[a].iterations = ended[a] / launches[a];  // one starts when all launches of the one before have ended
    if (ended_first[a] == launches[a]) records[a].first_end = end[a];
  }
  return records;
}

}  // namespace

Recorder::Recorder(const Workload& workload, const Clock& clock, AtomicFile* csv, bool keep_blocks,
                   PredictionLog& predictions, RunResult& result)
    : workload_(workload), clock_(clock), csv_(csv), keep_blocks_(keep_blocks), predictions_(predictions),
      result_(result) {
  if (csv_) csv_->write("kernel,block,sm,start_cycle,end_cycle,start_ns,end_ns\n");
}

void Recorder::block_ended(const BlockLaunch& block, const Prediction* prediction) {
  predictions_.predicted(*prediction);
  if (block.iteration == 0) ++blocks_done_;
  if (keep_blocks_)
    result_.blocks.push_back({block.identity.kernel, block.identity.block, block.identity.sm, block.start, block.end});
  if (!csv_) return;
  buffer_.clear();
  write_csv_field(buffer_, launch_label(workload_, block.command, block.iteration));
  fmt::format_to(std::back_inserter(buffer_), ",{},{},{},{}", block.identity.block, block.identity.sm, block.start,
                 block.end);
  write_time(block.start);
  write_time(block.end);
  buffer_.push_back('\n');
  csv_->write({buffer_.data(), buffer_.size()});
}

void Recorder::blocks_ended(const KernelLaunch& kernel, const std::vector<Cycle>& active) {
  predictions_.kernel_ended(kernel, active);
}

void Recorder::kernel_ended(const KernelLaunch& k, Cycle notified) {
  result_.kernels.push_back({k.identity.kernel, k.command, k.iteration, k.released, k.submitted, k.arrived,
                             k.first_block, k.end, notified, k.counters, predictions_.take_summary(k.identity.kernel)});
}

void Recorder::finish(const std::vector<const KernelLaunch*>& running,
                      const std::vector<const BlockLaunch*>& outstanding) {
  std::sort(result_.kernels.begin(), result_.kernels.end(),
            [](const KernelRecord& a, const KernelRecord& b) { return a.id < b.id; });
  predictions_.finish(running);
  result_.unfinished = unfinished_kernels(running, outstanding);
  result_.applications = application_records(workload_, result_);
}

/// In nanoseconds; exact, because cycles are whole femtoseconds.
void Recorder::write_time(Cycle cycle) {
  const Femtoseconds fs = clock_.edge(cycle);
  fmt::format_to(std::back_inserter(buffer_), ",{}.{:03}", fs / 1000000, fs % 1000000 / 1000);
}

}  // namespace gputlm
