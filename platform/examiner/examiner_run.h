/// What a workload that was made from a configuration of cuda_scheduling_examiner says of its benchmarks: what its
/// result files need (docs/examiner.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/host/workload.h"

namespace gputlm {

struct ExaminerKernel {
  std::uint32_t launch = 0;  ///< in Workload::launches
  std::size_t call = 0;      ///< of its thread, that launches it
  std::string name;
  /// The call that waits for its end, whose time the file has; none: the plug-in does not take it.
  std::optional<std::size_t> synchronization = std::nullopt;
};

/// A benchmark: a thread of the host, which goes through an iteration again and again, and its file.
struct ExaminerBenchmark {
  std::string file;  ///< below the folder of the run
  std::string scenario, title;
  std::optional<std::string> label = std::nullopt;
  Bytes data_size = 0;
  double release_seconds = 0;
  std::uint32_t process = 0;
  std::optional<std::uint32_t> thread_id = std::nullopt;  ///< none where it is a process
  std::int64_t cpu_core = 0;

  std::size_t thread = 0;  ///< in Workload::threads
  // Calls of the thread: an iteration is from `begin` to before `repeat`.
  std::size_t loop = 0, begin = 0, execute = 0, copy_out = 0, repeat = 0;
  std::vector<ExaminerKernel> kernels = {};  ///< in the order in which they are launched
};

struct ExaminerRun final : WorkloadOrigin {
  std::uint64_t time_scale = 1;  ///< times of files are so many times those of the run
  std::vector<ExaminerBenchmark> benchmarks;
};

}  // namespace gputlm
