/// What experiments share: GPUs with parameters set, kernels whose blocks spin, workloads made in C++, and runs of
/// them in processes of their own. Times of runs are in core cycles.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "models/sm/blocks/table.h"
#include "platform/lab/calibration.h"
#include "platform/lab/jobs.h"
#include "platform/run/result.h"

namespace gputlm {

inline constexpr Femtoseconds kMicrosecond = 1'000'000'000;

/// Parameters and their values, as `--set` has them.
using ParameterSettings = std::vector<std::pair<std::string, std::string>>;

/// A preset with parameters set that the experiment depends on. Throws InputError as platform/input/parameters.h does.
GpuConfig experiment_gpu(const std::string& preset, const ParameterSettings& settings = {});

/// A kernel whose blocks end `time` + SM id * `per_sm` after they started (most-room, section 3.1). Registers and
/// shared memory are too few to influence placement.
std::shared_ptr<Kernel> spin_kernel(std::uint32_t blocks, std::uint32_t threads, Femtoseconds time,
                                    Femtoseconds per_sm = 0);

/// One application with `streams` streams and nothing launched yet.
Workload workload_of_streams(unsigned streams);

/// Adds a launch; returns its place in Workload::launches.
std::size_t launch(Workload& workload, StreamId stream, std::shared_ptr<Kernel> kernel, Femtoseconds release = 0,
                   unsigned phase = 0);

/// The application of each launch.
std::vector<ApplicationId> applications_by_launch(const Workload& workload);

/// Digests (tlm/digest.h) of all that a result depends on.
struct RunDigests {
  std::string program;        ///< program_digest()
  std::string configuration;  ///< of the GPU
  std::string inputs;  ///< the workload, its kernels and the seed; empty where a kernel does not say what it does
};

/// A workload on a GPU, from start to end.
struct Run {
  GpuConfig config;
  Workload workload;
  bool keep_blocks = true;        ///< fill RunResult::blocks
  bool keep_predictions = false;  ///< fill RunResult::predictions
  /// For an SM model that needs them, in the place of the file of sm.durations.
  std::shared_ptr<const DurationTable> durations = nullptr;

  using Result = RunResult;
  GpuRun gpu_run();
  RunDigests digests() const;
  /// Its id is a digest of these. A run that does not end is a std::runtime_error.
  Job job() const;
  static RunResult result(std::string_view bytes);
};

/// What became of one launch.
struct LaunchOutcome : KernelRecord {
  std::uint64_t l1_sector_hits = 0, l1_sector_misses = 0;
  std::vector<BlockRecord> blocks;            ///< by block number
  std::vector<PredictionRecord> predictions;  ///< in the order in which they were made; only if asked for
  Cycle time() const { return execution(); }
  std::vector<SmId> sms() const;  ///< of each block
};

/// Of each launch of the workload, which must not be launched again.
std::vector<LaunchOutcome> launch_outcomes(const RunResult& result);

/// `[0, 2, 4]`
std::string list_text(const std::vector<SmId>& sms);

}  // namespace gputlm
