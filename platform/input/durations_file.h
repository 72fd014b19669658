/// Durations of blocks as a file, and the lookup of those of a run's kernels. A file is valid for one GPU and the kernels
/// that `gputlm calibrate` was given; for anything else it is refused. It is YAML:
///
///   seed: 1
///   gpu: {sms: 15, sm.l1.bytes: 16384, ...}         # all parameters that decide how long a block takes
///   kernels:
///     - name: SAD
///       id: 5c5d...                                 # digest of what its blocks do: kernel_id()
///       instructions: 5120                          # models/sm/blocks/table.h says what each is
///       sensitivity: 980
///       spread: [912, 987, 1004, 1101]
///       alone: [[1, 8122, 8015], [2, 8410, 8377]]   # blocks on an SM, cycles of the first and of later ones
///   pairs:
///     - kernels: [0, 3]                             # places in `kernels`
///       beside: [[1, 1, 1043, 1210]]                # blocks of each on an SM, slowdowns per mille
///
/// For SMs that send requests, in addition:
///
///   delay: 400
///   kernels:
///     - requests: 96
///       delayed: [[1, 9544, 9310], [2, 9600, 9398]] # as `alone`
///       latency: [[1, 310, 302], [2, 318, 306]]
///   pairs:
///     - beside: [[1, 1, 1043, 1210, 1031, 1180, 1002, 1010]]  # and per mille of `delayed`, of `latency`
///
/// For kernels with a demand, what the memory has (models/contention/capacities.h):
///
///   memory: {port: [[80, 280], [1010, 600]], l2: [[1280, 0], [5120, 300]], dram: [[30, 310], [1900, 1500]], mixed: 1700,
///            written: 1500, turns: [[1, 40], [2, 90]]}
///
/// For a GPU that is divided into instances of several shapes, the other shapes in addition, each in the same form:
///
///   others:
///     - {seed: 1, gpu: {...}, kernels: [...], pairs: [...]}
///
/// Everything here throws InputError with file and line.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "models/sm/blocks/durations.h"

namespace gputlm {

DurationTable load_durations(const std::string& path);
/// `name` stands for the file in messages.
DurationTable parse_durations(const std::string& text, const std::string& name);
std::string to_text(const DurationTable& table);

/// Parameters that affect how long a block takes, and their values.
std::vector<std::pair<std::string, std::string>> deciding_parameters(const GpuConfig& config);

/// A digest of what a kernel's blocks do. Ignores the size of the grid beyond what the GPU holds at once.
std::string kernel_id(const Kernel& kernel, const GpuConfig& config);

/// Whether the kernel's blocks only spin, so that they need no durations.
bool only_spins(Kernel& kernel);
/// If all kernels of a run only spin: why SMs that run blocks are exact.
inline constexpr const char* kExactForSpins =
    "all kernels only spin, and their blocks last as long as on SMs that run warps, but for a few cycles where many "
    "end at once";

/// The durations for the kernels of a run on a GPU or an instance of it, from the table of its shape. `name` stands for the
/// table in messages. Throws InputError for a table of another GPU, and for a kernel that is not in it.
BlockDurations durations_for(const GpuConfig& config, const Workload& workload, DurationTable tables,
                             const std::string& name);

}  // namespace gputlm
