/// The benchmarks of a workload that was made from a configuration of cuda_scheduling_examiner, as needed to write the tool's
/// result files (docs/examiner.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/host/workload.h"

namespace gputlm {

struct ExaminerKernel {
  std::uint32_t launch = 0;  ///< index in Workload::launches
  std::size_t call = 0;      ///< index of the launching call in its thread
  std::string name;
  /// The call that waits for its end, whose time the result file records; none: the plug-in does not record it.
  std::optional<std::size_t> synchronization = std::nullopt;
};

/// A benchmark: a host thread that repeats an iteration, and its result file.
struct ExaminerBenchmark {
  std::string file;  ///< path relative to the folder of the run
  std::string scenario, title;
  std::optional<std::string> label = std::nullopt;
  Bytes data_size = 0;
  double release_seconds = 0;
  std::uint32_t process = 0;
  std::optional<std::uint32_t> thread_id = std::nullopt;  ///< none if the benchmark is a process
  std::int64_t cpu_core = 0;

  std::size_t thread = 0;  ///< index in Workload::threads
  // Calls of the thread: an iteration extends from `begin` up to but not including `repeat`.
  std::size_t loop = 0, begin = 0, execute = 0, copy_out = 0, repeat = 0;
  std::vector<ExaminerKernel> kernels = {};  ///< in the order of their launches
};

struct ExaminerRun final : WorkloadOrigin {
  std::uint64_t time_scale = 1;  ///< times in files are those of the run multiplied by this
  std::vector<ExaminerBenchmark> benchmarks;
};

}  // namespace gputlm
