/// Every thread block as a line of blocks.csv, in the order in which the work distributor hears of their ends.
#include "models/work_distributor/work_distributor.h"
#include "platform/probes/merged.h"
#include "platform/probes/row_file.h"

namespace gputlm {
namespace {

struct BlockRow {
  const BlockEnded& block;
  const Workload& workload;
  const Clock& clock;

  /// Exact, because cycles are whole femtoseconds; cut off after three decimals.
  Thousandths nanoseconds(Cycle cycle) const { return {clock.edge(cycle) / 1000}; }

  template <class Visitor>
  static void describe(Visitor& v) {
    v.field([](const BlockRow& r) { return launch_label(r.workload, r.block.command, r.block.iteration); }, "kernel",
            Value{}, "Label of the launch; launched again, `LABEL@2`, `LABEL@3` ...");
    v.field([](const BlockRow& r) { return r.block.identity.block; }, "block", Value{}, "Index in the grid, x fastest");
    v.field([](const BlockRow& r) { return r.block.identity.sm; }, "sm", Value{}, "The SM that ran it");
    v.field([](const BlockRow& r) { return r.block.start; }, "start_cycle", Value{"core cycles"},
            "It arrived at the SM");
    v.field([](const BlockRow& r) { return r.block.end; }, "end_cycle", Value{"core cycles"},
            "Its last warp had ended and its accesses were answered");
    v.field([](const BlockRow& r) { return r.nanoseconds(r.block.start); }, "start_ns", Value{"ns"},
            "`start_cycle` as a time, cut off after three decimals");
    v.field([](const BlockRow& r) { return r.nanoseconds(r.block.end); }, "end_ns", Value{"ns"},
            "`end_cycle` as a time, cut off after three decimals");
    v.field([](const BlockRow& r) { return r.block.slot; }, "slot", Value{},
            "Its place on the SM, from 0 up: the lowest that was free when it arrived. A block that was taken off for "
            "another application's turn comes back to it");
    v.field([](const BlockRow& r) { return r.workload.launches[r.block.command].kernel->threads_per_block(); },
            "threads", Value{"threads"}, "Of the block");
    v.field([](const BlockRow& r) -> const std::string& { return r.workload.streams[r.block.identity.stream].name; },
            "stream", Value{}, "Of the launch");
    v.field(
        [](const BlockRow& r) -> const std::string& {
          return r.workload.applications[r.block.identity.application].name;
        },
        "application", Value{}, "Whose it is");
  }
};

class Blocks final : public Probe {
 public:
  void attach(ProbeSite& site) override {
    const auto distributors = site.units<WorkDistributor>("work distributor");
    csv_.open(site, "blocks.csv");
    ended_.emplace(distributors.size(), site.clock, &BlockEnded::heard,
                   [this, &workload = site.workload(), clock = site.clock](const BlockEnded& block) {
                     csv_.write({block, workload, clock});
                   });
    for (std::size_t i = 0; i < distributors.size(); ++i)
      site.watch(*distributors[i], distributors[i]->core().blocks_ended, ended_->from(i));
  }
  void finish() override { ended_->finish(); }

 private:
  RowFile<BlockRow> csv_;
  std::optional<Merged<BlockEnded>> ended_;
};

GPUTLM_REGISTER {
  add_probe<Blocks>("blocks", "blocks.csv: every thread block, where and when it ran", 10, has_few_blocks);
  add_row_table<BlockRow>(
      "blocks.csv",
      "Thread blocks, in the order in which the work distributor heard of their ends. A label with a "
      "comma or a quote is quoted (RFC 4180)");
}

}  // namespace
}  // namespace gputlm
