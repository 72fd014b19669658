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
  std::size_t line = 0;    ///< in the list
  std::size_t number = 0;  ///< of a launch in the list, from 1
  std::variant<TraceMemcpy, std::shared_ptr<SassKernel>> what;
};

struct Trace {
  std::string path;                    ///< of the list
  std::vector<TraceCommand> commands;  ///< in order
  std::size_t launches = 0;            ///< of the list, whether or not they are among the commands
  std::vector<std::string> warnings;   ///< about the list
};

/// Reads the list, and the headers of the kernels that `numbers` names; a copy goes with the launch that follows it, those
/// at the end with the last. `offset`: as SassKernel's. Throws InputError.
Trace load_trace(const std::string& path, const LaunchNumbers& numbers = {}, Address offset = 0);

/// Traces know nothing of each other, but their addresses are the same: each has as many as a GPU has, from here on.
inline constexpr Address kTraceAddresses = Address{1} << 49;
inline constexpr std::size_t kMaxTraces = 1 << 14;

/// How an application runs a trace: again and again, one after the other.
struct TraceRun {
  ApplicationId application = 0;
  std::string label_prefix;   ///< of its launches and copies
  StreamSpec stream = {};     ///< what its streams have alike: the priority
  LaunchCommand launch = {};  ///< what its launches have alike: budget, deadline
  /// When it begins, each time: after the start of the application, and not before its end the time before.
  std::vector<Femtoseconds> releases = {0};
  TaskSpec task = {};     ///< each time is a job of it; without a name: of none
  std::string file = {};  ///< where that is said, for messages
  std::size_t line = 0;
};

/// Adds streams, thread, copies and launches. A launch is labelled by its kernel: the short name of a C++ function
/// (platform/input/kernel_names.h), any other as it is; a repeated one gets the number of the launch, `name#3`.
void add_trace(const Trace& trace, const TraceRun& run, Workload& workload, LaunchList& launches);

/// Tells, whenever it is called, the warnings of the workload, and what was assumed about the traces among its launches, in
/// their order; that of several kernels of an application once, with how many instructions and kernels it was. More may
/// come as blocks are read.
std::function<std::vector<std::string>()> late_warnings(const Workload& workload);

}  // namespace gputlm
