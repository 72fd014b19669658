/// Takes down what ends in a run, as it ends: kernels in memory, blocks to a file.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "models/host/core.h"
#include "models/work_distributor/core.h"
#include "platform/files/atomic_file.h"
#include "platform/probes/prediction_log.h"
#include "platform/run/result.h"

namespace gputlm {

class Recorder final : public BlockObserver, public KernelObserver {
 public:
  /// What is given by reference must outlive the recorder. `csv`: gets a line a block; may be null. `keep_blocks`: fill
  /// RunResult::blocks.
  Recorder(const Workload& workload, const Clock& clock, AtomicFile* csv, bool keep_blocks, PredictionLog& predictions,
           RunResult& result);

  void block_ended(const BlockLaunch& block, const Prediction* prediction) override;
  void blocks_ended(const KernelLaunch& kernel, const std::vector<Cycle>& active) override;
  void kernel_ended(const KernelLaunch& kernel, Cycle notified) override;

  /// Blocks that have ended; those of applications that were launched again do not count.
  std::uint64_t blocks_done() const { return blocks_done_; }

  /// To be called when nothing will end any more: puts the kernels in order, and fills in what was `running` (launches
  /// under way) and the applications. `outstanding`: blocks whose ends have not been heard of.
  void finish(const std::vector<const KernelLaunch*>& running, const std::vector<const BlockLaunch*>& outstanding);

 private:
  void write_time(Cycle cycle);

  const Workload& workload_;
  Clock clock_;
  AtomicFile* csv_;
  bool keep_blocks_;
  PredictionLog& predictions_;
  RunResult& result_;
  std::uint64_t blocks_done_ = 0;
  fmt::memory_buffer buffer_;
};

}  // namespace gputlm
