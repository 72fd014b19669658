/// Every slice of the execution engine as a line of slices.csv, in the order of their ends (docs/contexts.md).
#include <fmt/format.h>

#include <iterator>

#include "models/work_distributor/work_distributor.h"
#include "platform/files/csv.h"
#include "platform/probes/probe.h"

namespace gputlm {
namespace {

class Slices final : public Probe {
 public:
  void attach(ProbeSite& site) override {
    WorkDistributor& distributor = *site.units<WorkDistributor>("work distributor").front();
    workload_ = &site.workload();
    csv_ = &site.file("slices.csv");
    csv_->write(
        "application,come_cycle,start_cycle,end_cycle,off_cycle,ended_by,resumed_blocks,restored_bytes,preempted_"
        "blocks,"
        "saved_bytes\n");
    site.watch(distributor, distributor.core().slices(), [this](const SliceEnded& slice) { write(slice); });
  }

 private:
  void write(const SliceEnded& slice) {
    line_.clear();
    write_csv_field(line_, workload_->applications[slice.application].name);
    fmt::format_to(std::back_inserter(line_), ",{},{},{},{},{},{},{},{},{}\n", slice.come, slice.start, slice.end,
                   slice.off, slice.by_time ? "time" : "no work", slice.resumed_blocks, slice.restored_bytes,
                   slice.preempted_blocks, slice.saved_bytes);
    csv_->write({line_.data(), line_.size()});
  }

  const Workload* workload_ = nullptr;
  AtomicFile* csv_ = nullptr;
  fmt::memory_buffer line_;
};

GPUTLM_REGISTER { add_probe<Slices>("slices", "slices.csv: who had the execution engine from when until when", 40); }

}  // namespace
}  // namespace gputlm
