/// Writes predicted and actual runtimes to predictions.csv.
#include "models/work_distributor/work_distributor.h"
#include "platform/probes/merged.h"
#include "platform/probes/prediction_tracker.h"
#include "platform/probes/row_file.h"

namespace gputlm {
namespace {

struct PredictionRow {
  const std::string& kernel;
  const PredictionRecord& record;

  std::optional<Thousandths> error() const {
    if (!record.actual) return std::nullopt;
    return Thousandths{(record.made.predicted * 1000 + *record.actual / 2) / *record.actual};
  }

  template <class Visitor>
  static void describe(Visitor& v) {
    constexpr Value kCycles{"core cycles"}, kBlocks{"blocks"};
    v.field([](const PredictionRow& r) -> const std::string& { return r.kernel; }, "kernel", Value{},
            "Label of the launch");
    v.field([](const PredictionRow& r) { return r.record.made.sm; }, "sm", Value{}, "SM on which a block of it ended");
    v.field([](const PredictionRow& r) { return r.record.made.at; }, "cycle", kCycles,
            "Time at which the block's end reached the work distributor");
    v.field([](const PredictionRow& r) { return unsigned{r.record.made.first_of_slice}; }, "first_of_slice", Value{},
            "1: the first block of the kernel that ended there since a kernel was launched or ended, which determines "
            "`t_cycles`; else 0");
    v.field([](const PredictionRow& r) { return r.record.made.done_blocks; }, "done_blocks", kBlocks,
            "Number of the kernel's blocks that had ended there");
    v.field([](const PredictionRow& r) { return r.record.made.total_blocks; }, "total_blocks", kBlocks,
            "Number of blocks expected there, an even share of the grid rounded up; more or fewer may run");
    v.field([](const PredictionRow& r) { return r.record.made.t; }, "t_cycles", kCycles,
            "`t`: duration of the slice's first block, from `start_cycle` to `end_cycle`");
    v.field([](const PredictionRow& r) { return r.record.made.predicted; }, "predicted_cycles", kCycles,
            "Pred_Cycles of Equation 2: the cycles for which the kernel has had a block there, and (`total_blocks` - "
            "`done_blocks`) x `t_cycles` / the most blocks of it that fit on an SM");
    v.field([](const PredictionRow& r) { return r.record.actual; }, "actual_cycles", kCycles,
            "Actual time for which the kernel had a block there: from sending a block until its end reaches the work "
            "distributor, so a hop longer each way than on the SM; empty if the kernel did not end");
    v.field(&PredictionRow::error, "predicted_over_actual", Value{},
            "Ratio of the two, rounded to three decimals; empty if the kernel did not end");
  }
};

class Predictions final : public Probe {
 public:
  void attach(ProbeSite& site) override {
    workload_ = &site.workload();
    csv_.open(site, "predictions.csv");
    const auto distributors = site.units<WorkDistributor>("work distributor");
    executed_.emplace(distributors.size(), site.clock, &KernelExecuted::at,
                      [this](const KernelExecuted& k) { tracker_.kernel_ended(k); });
    for (std::size_t i = 0; i < distributors.size(); ++i) {
      WorkDistributorCore& core = distributors[i]->core();
      core.predict();
      site.watch(*distributors[i], core.blocks_ended, [this](const BlockEnded& b) { tracker_.block_ended(b); });
      site.watch(*distributors[i], core.kernels_executed, executed_->from(i));
    }
  }
  void finish() override {
    executed_->finish();
    tracker_.finish();
  }

 private:
  const Workload* workload_ = nullptr;
  RowFile<PredictionRow> csv_;
  PredictionTracker tracker_{
      [this](std::uint32_t command, std::uint32_t iteration, const std::vector<PredictionRecord>& records) {
        const std::string kernel = launch_label(*workload_, command, iteration);
        for (const PredictionRecord& record : records) csv_.write({kernel, record});
      }};
  std::optional<Merged<KernelExecuted>> executed_;
};

GPUTLM_REGISTER {
  add_probe<Predictions>("predictions", "predictions.csv: predicted and actual runtimes of kernels", 20,
                         has_few_blocks);
  add_row_table<PredictionRow>(
      "predictions.csv",
      "Predictions of a kernel's total time on an SM, one at every end of a block there (srtf, section 4). Kernels in "
      "the order of their ends, then those that had not ended, in the order of their ids; lines of a kernel in the "
      "order in which the work distributor heard of the blocks' ends");
}

}  // namespace
}  // namespace gputlm
