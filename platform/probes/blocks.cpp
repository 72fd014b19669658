/// Every thread block as a line of blocks.csv, in the order in which the work distributor hears of their ends
/// (docs/result.md).
#include <fmt/format.h>

#include <iterator>

#include "models/work_distributor/work_distributor.h"
#include "platform/files/csv.h"
#include "platform/probes/probe.h"

namespace gputlm {
namespace {

class Blocks final : public Probe {
 public:
  void attach(ProbeSite& site) override {
    WorkDistributor& distributor = *site.units<WorkDistributor>("work distributor").front();
    workload_ = &site.workload();
    clock_ = site.clock;
    csv_ = &site.file("blocks.csv");
    csv_->write("kernel,block,sm,start_cycle,end_cycle,start_ns,end_ns,slot,threads,stream,application\n");
    site.watch(distributor, distributor.core().blocks_ended, [this](const BlockEnded& block) { write(block); });
  }

 private:
  void write(const BlockEnded& b) {
    line_.clear();
    write_csv_field(line_, launch_label(*workload_, b.command, b.iteration));
    fmt::format_to(std::back_inserter(line_), ",{},{},{},{}", b.identity.block, b.identity.sm, b.start, b.end);
    write_time(b.start);
    write_time(b.end);
    fmt::format_to(std::back_inserter(line_), ",{},{},", b.slot,
                   workload_->launches[b.command].kernel->threads_per_block());
    write_csv_field(line_, workload_->streams[b.identity.stream].name);
    line_.push_back(',');
    write_csv_field(line_, workload_->applications[b.identity.application].name);
    line_.push_back('\n');
    csv_->write({line_.data(), line_.size()});
  }
  /// In nanoseconds; exact, because cycles are whole femtoseconds.
  void write_time(Cycle cycle) {
    const Femtoseconds fs = clock_.edge(cycle);
    fmt::format_to(std::back_inserter(line_), ",{}.{:03}", fs / 1000000, fs % 1000000 / 1000);
  }

  const Workload* workload_ = nullptr;
  Clock clock_{1};
  AtomicFile* csv_ = nullptr;
  fmt::memory_buffer line_;
};

GPUTLM_REGISTER {
  add_probe<Blocks>("blocks", "blocks.csv: every thread block, where and when it ran", 10,
                    [](const Workload&) { return true; });
}

}  // namespace
}  // namespace gputlm
