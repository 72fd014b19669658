/// Writes every slice of the execution engine to slices.csv, in the order of their ends (docs/contexts.md).
#include "models/work_distributor/work_distributor.h"
#include "platform/probes/merged.h"
#include "platform/probes/row_file.h"

namespace gputlm {
namespace {

struct SliceRow {
  const SliceEnded& slice;
  const Workload& workload;

  template <class Visitor>
  static void describe(Visitor& v) {
    constexpr Value kCycles{"core cycles"}, kBlocks{"blocks"}, kBytes{"bytes"};
    v.field([](const SliceRow& r) -> const std::string& { return r.workload.applications[r.slice.application].name; },
            "application", Value{}, "Application of the slice");
    v.field([](const SliceRow& r) { return r.slice.come; }, "come_cycle", kCycles,
            "Time at which the restoring of its blocks began");
    v.field([](const SliceRow& r) { return r.slice.start; }, "start_cycle", kCycles,
            "Time from which on its blocks could be sent");
    v.field([](const SliceRow& r) { return r.slice.end; }, "end_cycle", kCycles,
            "Time from which on no more were sent");
    v.field([](const SliceRow& r) { return r.slice.off; }, "off_cycle", kCycles,
            "Time at which none was left on the SMs");
    v.field([](const SliceRow& r) { return r.slice.by_time ? "time" : "no work"; }, "ended_by", Value{},
            "`time` or `no work`");
    v.field([](const SliceRow& r) { return r.slice.resumed_blocks; }, "resumed_blocks", kBlocks,
            "Number of blocks restored");
    v.field([](const SliceRow& r) { return r.slice.restored_bytes; }, "restored_bytes", kBytes,
            "Bytes of their state, read");
    v.field([](const SliceRow& r) { return r.slice.preempted_blocks; }, "preempted_blocks", kBlocks,
            "Number of blocks preempted");
    v.field([](const SliceRow& r) { return r.slice.saved_bytes; }, "saved_bytes", kBytes,
            "Bytes of their state, written");
  }
};

class Slices final : public Probe {
 public:
  void attach(ProbeSite& site) override {
    const auto distributors = site.units<WorkDistributor>("work distributor");
    csv_.open(site, "slices.csv");
    ended_.emplace(distributors.size(), site.clock, &SliceEnded::known,
                   [this, &workload = site.workload()](const SliceEnded& slice) {
                     csv_.write({slice, workload});
                   });
    for (std::size_t i = 0; i < distributors.size(); ++i)
      site.watch(*distributors[i], distributors[i]->core().slices(), ended_->from(i));
  }
  void finish() override { ended_->finish(); }

 private:
  RowFile<SliceRow> csv_;
  std::optional<Merged<SliceEnded>> ended_;
};

GPUTLM_REGISTER {
  add_probe<Slices>("slices", "slices.csv: which application had the execution engine when", 40);
  add_row_table<SliceRow>("slices.csv", "Slices of the execution engine, in the order of their ends; `--probe slices`");
}

}  // namespace
}  // namespace gputlm
