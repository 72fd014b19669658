/// Writes result files in the form of cuda_scheduling_examiner (src/task_host.c), with the function that prints each part. It
/// does not use the reader.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/print.h"

namespace gputlm::written {

/// KernelTimes of src/library_interface.h, as a plug-in hands it over: times of the host in seconds of its clock, those of
/// blocks in ns of the GPU's.
struct ExaminerKernelTimes {
  std::string name;
  int threads = 0, shared_memory = 0;
  double launch[3] = {};                                             ///< cuda_launch_times; 0: not set
  std::vector<std::pair<std::uint64_t, std::uint64_t>> block_times;  ///< start and end by GlobalTimer64()
  std::vector<unsigned> block_smids;
};

class ExaminerResultWriter {
 public:
  /// SharedState: the clocks at the start of the tool (Initialize).
  std::uint64_t starting_gpu_clock = 0;
  double starting_seconds = 0, gpu_time_scale = 1;

  /// WriteOutputHeader. `label` empty: the configuration has none. `tid` 0: benchmarks are processes.
  std::string header(const char* scenario, const char* benchmark, const std::string& label, int max_resident_threads,
                     long long data_size, double release_time, int pid, int tid) const {
    return print("{\n\"scenario_name\": \"%s\",\n\"benchmark_name\": \"%s\",\n", scenario, benchmark) +
           (label.empty() ? "" : print("\"label\": \"%s\",\n", label.c_str())) +
           print("\"max_resident_threads\": %d,\n\"data_size\": %lld,\n\"release_time\": %f,\n\"PID\": %d,\n",
                 max_resident_threads, data_size, release_time, pid) +
           (tid == 0 ? "" : print("\"TID\": %d,\n", tid)) + "\"times\": [{}";
  }

  /// WriteCPUTimesToOutput: begins of copy_in, execute and copy_out, and the end.
  static std::string iteration(double copy_in, double execute, double copy_out, double end) {
    return print(",\n{\"copy_in_times\": [%.9f,%.9f], ", copy_in, execute) +
           print("\"execute_times\": [%.9f,%.9f], ", execute, copy_out) +
           print("\"copy_out_times\": [%.9f,%.9f], \"cpu_times\": [%.9f,%.9f]}", copy_out, end, copy_in, end);
  }

  /// WriteTimesToOutput.
  std::string kernel(const ExaminerKernelTimes& kernel) const {
    std::string text = ",\n{";
    if (!kernel.name.empty()) text += print("\"kernel_name\": \"%s\", ", kernel.name.c_str());
    text += print("\"block_count\": %zu, \"thread_count\": %d, \"shared_memory\": %d, ", kernel.block_times.size(),
                  kernel.threads, kernel.shared_memory);
    text += print("\"cuda_launch_times\": [%.9f, %.9f, %.9f], ", kernel.launch[0] - starting_seconds,
                  kernel.launch[1] - starting_seconds, kernel.launch[2] != 0 ? kernel.launch[2] - starting_seconds : 0);
    text += "\"block_times\": [";
    for (std::size_t i = 0; i < kernel.block_times.size(); ++i) {
      const auto& [start, end] = kernel.block_times[i];
      text += print("%s%.9f,%.9f", i == 0 ? "" : ",", gpu_time(start), gpu_time(end));
    }
    text += "], \"block_smids\": [";
    for (std::size_t i = 0; i < kernel.block_smids.size(); ++i)
      text += print("%s%u", i == 0 ? "" : ",", kernel.block_smids[i]);
    return text + print("], \"cpu_core\": %d}", 1);
  }

  /// RunBenchmark, after the last iteration.
  static std::string footer() { return "\n]}"; }

 private:
  /// GPUTimerToCPUTime: the difference has no sign.
  double gpu_time(std::uint64_t clock) const {
    return static_cast<double>(clock - starting_gpu_clock) / 1e9 * gpu_time_scale;
  }
};

}  // namespace gputlm::written
