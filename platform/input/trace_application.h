/// A traced program (platform/input/trace_files.h) as an application of a workload: a stream for each of its CUDA streams,
/// and a thread that makes its launches, and its copies in stream 0, in the order of the list.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "models/host/workload.h"
#include "models/kernel/sass_kernel.h"
#include "platform/input/launch_list.h"
#include "platform/input/trace_files.h"

namespace gputlm {

struct TraceCommand {
  std::size_t line = 0;    ///< number of its line in the list
  std::size_t number = 0;  ///< number of a launch in the list, from 1; 0: a copy
  std::variant<TraceMemcpy, std::shared_ptr<SassKernel>> what;
};

struct Trace {
  std::string path;                    ///< path of the list
  std::vector<TraceCommand> commands;  ///< commands in the order of the list
  std::size_t launches = 0;            ///< launches in the list, including those that are not among the commands
  std::vector<std::string> warnings;   ///< warnings about the list
};

/// Reads the list, and the headers of the kernels that `numbers` names. A copy goes with the launch that follows it; copies
/// at the end go with the last launch. `offset`: as in SassKernel. Throws InputError.
Trace load_trace(const std::string& path, const LaunchNumbers& numbers = {}, Address offset = 0);

/// Traces are independent programs that use the same addresses: each trace gets an address range of a GPU's size, from here
/// on.
inline constexpr Address kTraceAddresses = Address{1} << 49;
inline constexpr std::size_t kMaxTraces = 1 << 14;

/// How an application runs a trace, once or repeatedly.
struct TraceRun {
  ApplicationId application = 0;
  std::string label_prefix;   ///< prefix of the labels of its launches and copies
  StreamSpec stream = {};     ///< common properties of its streams: the priority
  LaunchCommand launch = {};  ///< common properties of its launches: budget, deadline
  /// Start times, relative to the start of the application; a run does not begin before the previous one has ended.
  std::vector<Femtoseconds> releases = {0};
  TaskSpec task = {};     ///< task of which each run is a job; no jobs if it has no name
  std::string file = {};  ///< name of the file that configures this, for messages
  std::size_t line = 0;
};

/// Adds streams, thread, copies and launches. A launch is labelled with its kernel: the short name of a C++ function
/// (platform/input/kernel_names.h), any other name unchanged. A repeated label gets the number of the launch, `name#3`.
void add_trace(const Trace& trace, const TraceRun& run, Workload& workload, LaunchList& launches);

/// Returns a function that reports the warnings of the workload and the assumptions about its traces, in the order of the
/// launches. An assumption about several kernels of an application is reported once, with the number of instructions and
/// kernels. Reading blocks may add more, so the function can be called repeatedly.
std::function<std::vector<std::string>()> late_warnings(const Workload& workload);

}  // namespace gputlm
