/// What the runtime predictor said, and what happened, as predictions.csv (docs/result.md).
#include <fmt/format.h>

#include <iterator>

#include "models/work_distributor/work_distributor.h"
#include "platform/files/csv.h"
#include "platform/probes/prediction_tracker.h"
#include "platform/probes/probe.h"

namespace gputlm {
namespace {

class Predictions final : public Probe {
 public:
  void attach(ProbeSite& site) override {
    WorkDistributor& distributor = *site.units<WorkDistributor>("work distributor").front();
    distributor.core().predict();
    workload_ = &site.workload();
    csv_ = &site.file("predictions.csv");
    csv_->write(
        "kernel,sm,cycle,first_of_slice,done_blocks,total_blocks,t_cycles,predicted_cycles,actual_cycles,"
        "predicted_over_actual\n");
    site.watch(distributor, distributor.core().blocks_ended, [this](const BlockEnded& b) { tracker_.block_ended(b); });
    site.watch(distributor, distributor.core().kernels_executed,
               [this](const KernelExecuted& k) { tracker_.kernel_ended(k); });
  }
  void finish() override { tracker_.finish(); }

 private:
  void write(std::uint32_t command, std::uint32_t iteration, const std::vector<PredictionRecord>& records) {
    fmt::memory_buffer label;
    write_csv_field(label, launch_label(*workload_, command, iteration));
    for (const PredictionRecord& record : records) {
      const Prediction& p = record.made;
      line_.clear();
      line_.append(label);
      fmt::format_to(std::back_inserter(line_), ",{},{},{:d},{},{},{},{},", p.sm, p.at, p.first_of_slice, p.done_blocks,
                     p.total_blocks, p.t, p.predicted);
      if (record.actual) {
        const std::uint64_t thousandths = (p.predicted * 1000 + *record.actual / 2) / *record.actual;
        fmt::format_to(std::back_inserter(line_), "{},{}.{:03}", *record.actual, thousandths / 1000,
                       thousandths % 1000);
      } else {
        line_.push_back(',');
      }
      line_.push_back('\n');
      csv_->write({line_.data(), line_.size()});
    }
  }

  const Workload* workload_ = nullptr;
  AtomicFile* csv_ = nullptr;
  fmt::memory_buffer line_;
  PredictionTracker tracker_{
      [this](std::uint32_t command, std::uint32_t iteration, const std::vector<PredictionRecord>& records) {
        write(command, iteration, records);
      }};
};

GPUTLM_REGISTER {
  add_probe<Predictions>("predictions", "predictions.csv: predicted runtimes of kernels, and what happened", 20,
                         [](const Workload&) { return true; });
}

}  // namespace
}  // namespace gputlm
