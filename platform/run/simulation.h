/// One run of a workload on a GPU, from elaboration to result. SystemC allows one a process: experiments that need
/// several use platform/lab/jobs.h.
#pragma once

#include <functional>
#include <string>

#include "platform/run/result.h"

namespace gputlm {

class ProbeSet;        // platform/probes/probe.h
struct DurationTable;  // models/sm/blocks/table.h

/// How far a run has come.
struct Progress {
  Cycle cycles = 0;
  std::uint64_t blocks_done = 0, blocks = 0;
  std::size_t kernels_done = 0, kernels = 0;
};

struct RunOptions {
  unsigned window = 0;            ///< look-ahead in core cycles; 0 is the largest possible. Does not change results.
  unsigned threads = 1;           ///< that compute units. Does not change results.
  Cycle cycle_limit = kNever;     ///< the run ends there, incomplete
  bool check_protocol = false;    ///< TLM-2.0 base protocol on every socket; violations become an exception
  bool keep_blocks = false;       ///< fill RunResult::blocks
  bool predict = false;           ///< runtimes of kernels, for KernelRecord::prediction; a probe may ask for it, too
  bool keep_predictions = false;  ///< fill RunResult::predictions; implies it
  const DurationTable* durations = nullptr;  ///< in the place of the file of sm.durations
  ProbeSet* probes = nullptr;                ///< attached to the GPU's units; the caller commits what they wrote
  /// Asked now and then; false ends the run, incomplete.
  std::function<bool(const Progress&)> proceed;
  /// Told at the end, where there are several threads: windows, and those that all threads have computed.
  std::function<void(std::uint64_t all, std::uint64_t together)> windows;
};

/// Of a workload that check_fits() has let pass. Throws InputError for what shows in the run only (a malformed trace) and for
/// a window longer than the GPU's hops, and std::runtime_error when check_protocol finds a violation.
RunResult simulate(const GpuConfig& config, const Workload& workload, const RunOptions& options);

}  // namespace gputlm
