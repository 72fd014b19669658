#include "platform/probes/prediction_log.h"

#include <algorithm>

#include "platform/files/csv.h"

namespace gputlm {
namespace {

/// What was predicted as a multiple of what happened, over SMs.
class Errors {
 public:
  void add(Cycle predicted, Cycle actual) {
    const double ratio = static_cast<double>(predicted) / static_cast<double>(actual);
    range_.least = count_ ? std::min(range_.least, ratio) : ratio;
    range_.most = std::max(range_.most, ratio);
    sum_ += ratio;
    ++count_;
  }
  PredictionErrors result() const {
    PredictionErrors errors = range_;
    errors.mean = count_ ? sum_ / count_ : 0;
    return errors;
  }
  unsigned count() const { return count_; }

 private:
  PredictionErrors range_;
  double sum_ = 0;
  unsigned count_ = 0;
};

}  // namespace

PredictionLog::PredictionLog(const Workload& workload, AtomicFile* csv, bool keep,
                             std::vector<PredictionRecord>& records)
    : workload_(workload), csv_(csv), keep_(keep), records_(records) {
  if (csv_)
    csv_->write(
        "kernel,sm,cycle,first_of_slice,done_blocks,total_blocks,t_cycles,predicted_cycles,actual_cycles,"
        "predicted_over_actual\n");
}

void PredictionLog::predicted(const Prediction& prediction) {
  OfKernel& kernel = kernels_[prediction.kernel];
  if (kernel.sms.size() <= prediction.sm) kernel.sms.resize(prediction.sm + 1u);
  OnSm& on = kernel.sms[prediction.sm];
  if (on.first == 0) on.first = prediction.predicted;
  if (prediction.first_of_slice) on.first_of_last = prediction.predicted;
  if (csv_ || keep_) kernel.made.push_back(prediction);
}

void PredictionLog::kernel_ended(const KernelLaunch& kernel, const std::vector<Cycle>& active) {
  const auto predictions = kernels_.find(kernel.identity.kernel);
  Errors first, first_of_last;
  for (std::size_t sm = 0; sm < predictions->second.sms.size(); ++sm) {
    const OnSm& on = predictions->second.sms[sm];
    if (on.first == 0) continue;
    first.add(on.first, active[sm]);
    first_of_last.add(on.first_of_last, active[sm]);
  }
  summaries_[kernel.identity.kernel] = {first.count(), first.result(), first_of_last.result()};
  record(kernel, predictions->second, &active);
  kernels_.erase(predictions);
}

PredictionSummary PredictionLog::take_summary(KernelId kernel) {
  const auto summary = summaries_.find(kernel);
  const PredictionSummary taken = summary->second;
  summaries_.erase(summary);
  return taken;
}

void PredictionLog::finish(const std::vector<const KernelLaunch*>& running) {
  for (const auto& [id, predictions] : kernels_) {
    const auto launch = std::find_if(running.begin(), running.end(),
                                     [id = id](const KernelLaunch* l) { return l->identity.kernel == id; });
    record(**launch, predictions, nullptr);
  }
}

void PredictionLog::record(const KernelLaunch& kernel, const OfKernel& predictions, const std::vector<Cycle>* active) {
  const auto actual = [&](const Prediction& p) { return active ? std::optional((*active)[p.sm]) : std::nullopt; };
  if (keep_) {
    for (const Prediction& p : predictions.made) records_.push_back({p, actual(p)});
  }
  if (!csv_) return;
  fmt::memory_buffer label;
  write_csv_field(label, launch_label(workload_, kernel.command, kernel.iteration));
  for (const Prediction& p : predictions.made) {
    buffer_.clear();
    buffer_.append(label);
    fmt::format_to(std::back_inserter(buffer_), ",{},{},{:d},{},{},{},{},", p.sm, p.at, p.first_of_slice, p.done_blocks,
                   p.total_blocks, p.t, p.predicted);
    if (const std::optional<Cycle> cycles = actual(p)) {
      const std::uint64_t thousandths = (p.predicted * 1000 + *cycles / 2) / *cycles;
      fmt::format_to(std::back_inserter(buffer_), "{},{}.{:03}", *cycles, thousandths / 1000, thousandths % 1000);
    } else {
      buffer_.push_back(',');
    }
    buffer_.push_back('\n');
    csv_->write({buffer_.data(), buffer_.size()});
  }
}

}  // namespace gputlm
