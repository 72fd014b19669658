/// Writes every thread block to blocks.csv, in the order in which their ends reach the work distributor.
#include "models/work_distributor/work_distributor.h"
#include "platform/files/run_folder.h"
#include "platform/probes/merged.h"
#include "platform/probes/row_file.h"

namespace gputlm {
namespace {

class Blocks final : public Probe {
 public:
  void attach(ProbeSite& site) override {
    const auto distributors = site.units<WorkDistributor>("work distributor");
    csv_.open(site, run_files::kBlocks);
    ended_.emplace(
        distributors.size(), site.clock, &BlockEnded::heard,
        [this, &workload = site.workload(), clock = site.clock](const BlockEnded& block) {
          const auto ns = [&](Cycle cycle) { return Thousandths{clock.edge(cycle) / 1000}; };
          const std::string label = launch_label(workload, block.command, block.iteration);
          csv_.write({label, block.identity.block, block.identity.sm, block.start, block.end, ns(block.start),
                      ns(block.end), block.slot, workload.launches[block.command].kernel->threads_per_block(),
                      workload.streams[block.identity.stream].name,
                      workload.applications[block.identity.application].name});
        });
    for (std::size_t i = 0; i < distributors.size(); ++i)
      site.watch(*distributors[i], distributors[i]->core().blocks_ended, ended_->from(i));
  }
  void finish() override { ended_->finish(); }

 private:
  RowFile<BlockLine> csv_;
  std::optional<Merged<BlockEnded>> ended_;
};

GPUTLM_REGISTER {
  add_probe<Blocks>("blocks", "blocks.csv: every thread block, where and when it ran", 10, has_few_blocks);
  add_row_table<BlockLine>(run_files::kBlocks,
                           "Thread blocks, in the order in which their ends reached the work distributor. A label with "
                           "a comma or a quote is quoted (RFC 4180)");
}

}  // namespace
}  // namespace gputlm
