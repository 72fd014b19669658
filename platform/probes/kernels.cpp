/// Every kernel launch that has ended as a line of kernels.csv, in the order in which the host hears of their ends
/// (docs/result.md).
#include <fmt/format.h>

#include <iterator>

#include "models/host/host.h"
#include "platform/files/csv.h"
#include "platform/probes/probe.h"

namespace gputlm {
namespace {

class Kernels final : public Probe {
 public:
  void attach(ProbeSite& site) override {
    Host& host = *site.units<Host>("host").front();
    workload_ = &site.workload();
    clock_ = site.clock;
    csv_ = &site.file("kernels.csv");
    csv_->write(
        "kernel,application,stream,priority,grid,block,registers,shared_memory,released_cycle,submitted_cycle,"
        "arrived_cycle,first_block_cycle,end_cycle,notified_cycle,response_cycles,deadline_cycles,deadline_met,"
        "instructions,ipc\n");
    site.watch(host, host.core().kernels_ended, [this](const KernelEnded& ended) { write(ended); });
  }

 private:
  void write(const KernelEnded& ended) {
    const KernelLaunch& k = ended.kernel;
    const Kernel& kernel = *k.kernel;
    line_.clear();
    write_csv_field(line_, launch_label(*workload_, k.command, k.iteration));
    line_.push_back(',');
    write_csv_field(line_, workload_->applications[k.identity.application].name);
    line_.push_back(',');
    write_csv_field(line_, workload_->streams[k.identity.stream].name);
    const auto out = std::back_inserter(line_);
    fmt::format_to(out, ",{},{}x{}x{},{}x{}x{},{},{}", k.priority, kernel.grid.x, kernel.grid.y, kernel.grid.z,
                   kernel.block.x, kernel.block.y, kernel.block.z, kernel.registers_per_thread, kernel.shared_memory);
    const Cycle response = ended.notified - k.released;
    fmt::format_to(out, ",{},{},{},{},{},{},{}", k.released, k.submitted, k.arrived, k.first_block, k.end,
                   ended.notified, response);
    if (const auto& allowed = workload_->launches[k.command].deadline) {
      const Cycle deadline = clock_.at_or_before(*allowed);
      fmt::format_to(out, ",{},{}", deadline, response <= deadline);
    } else {
      fmt::format_to(out, ",,");
    }
    const Cycle cycles = std::max<Cycle>(k.end - k.first_block, 1);
    const std::uint64_t thousandths = (k.counters.instructions * 1000 + cycles / 2) / cycles;
    fmt::format_to(out, ",{},{}.{:03}\n", k.counters.instructions, thousandths / 1000, thousandths % 1000);
    csv_->write({line_.data(), line_.size()});
  }

  const Workload* workload_ = nullptr;
  Clock clock_{1};
  AtomicFile* csv_ = nullptr;
  fmt::memory_buffer line_;
};

GPUTLM_REGISTER {
  add_probe<Kernels>("kernels", "kernels.csv: every kernel launch, its times, resources and deadline", 12,
                     [](const Workload&) { return true; });
}

}  // namespace
}  // namespace gputlm
