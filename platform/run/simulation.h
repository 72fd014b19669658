/// One run of a workload on a GPU, from elaboration to result. SystemC allows one run per process; experiments that need
/// several use platform/lab/jobs.h.
#pragma once

#include <functional>
#include <string>

#include "platform/run/result.h"

namespace gputlm {

class ProbeSet;        // platform/probes/probe.h
struct DurationTable;  // models/sm/blocks/table.h

/// Progress of a run.
struct Progress {
  Cycle cycles = 0;
  std::uint64_t blocks_done = 0, blocks = 0;
  std::size_t kernels_done = 0, kernels = 0;
};

struct RunOptions {
  unsigned window = 0;          ///< look-ahead in core cycles; 0: the largest possible. Does not change results.
  unsigned threads = 1;         ///< number of threads that compute units. Does not change results.
  Cycle cycle_limit = kNever;   ///< end of the run, which is then incomplete
  bool check_protocol = false;  ///< TLM-2.0 base protocol on every socket; violations become an exception
  bool keep_blocks = false;     ///< fill RunResult::blocks
  bool predict = false;  ///< predict runtimes of kernels, for KernelRecord::prediction; a probe may also ask for it
  bool keep_predictions = false;             ///< fill RunResult::predictions; implies `predict`
  const DurationTable* durations = nullptr;  ///< replaces the file of sm.durations
  ProbeSet* probes = nullptr;                ///< attached to the GPU's units; the caller commits their output
  /// Called from time to time; false ends the run, which is then incomplete.
  std::function<bool(const Progress&)> proceed;
  /// Called at the end of a run on several threads: number of windows, and of those that all threads computed.
  std::function<void(std::uint64_t all, std::uint64_t together)> windows;
};

/// Requires a workload that check_fits() accepted. Throws InputError for errors that show only in the run (a malformed trace)
/// and for a window longer than the GPU's hops, and std::runtime_error when check_protocol finds a violation.
RunResult simulate(const GpuConfig& config, const Workload& workload, const RunOptions& options);

}  // namespace gputlm
