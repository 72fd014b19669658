/// What a process did on a GPU, whichever tool recorded it: kernels, copies, streams, waits between them, the host's threads
/// with their calls, named ranges, and the measured times. Importers make programs (capture.h); nothing after them depends on
/// the tool. Times are nanoseconds of one clock of the measurement.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "models/host/workload.h"
#include "models/kernel/kernel.h"
#include "models/sm_limits.h"
#include "tlm/copy.h"

namespace gputlm {

using Nanoseconds = std::int64_t;
inline constexpr std::int64_t kFemtosecondsOfNs = 1'000'000;

struct MeasuredGpu {
  std::string name;
  std::optional<unsigned> sms;
  // Limits of an SM, as far as known.
  std::optional<unsigned> warps, blocks, registers;
  std::optional<Bytes> shared_memory;

  /// The known limits, completed from `assumed`.
  SmLimits limits(const SmLimits& assumed) const;
};

struct MeasuredStream {
  std::uint64_t process = 0, context = 0, id = 0;
  StreamKind kind = StreamKind::kBlocking;
  int priority = 0;  ///< CUDA's convention: lower is more urgent
};

/// A part of the GPU to which kernels were confined: a green context.
struct MeasuredShare {
  std::uint64_t process = 0, id = 0;
  std::optional<unsigned> sms = std::nullopt;  ///< number of SMs; none: the capture does not say
};

struct MeasuredKernel {
  std::string name;  ///< name with its parameters
  Dim3 grid, block;
  std::uint32_t registers = 0;                      ///< registers per thread
  Bytes shared_memory = 0;                          ///< shared memory per block, static and dynamic
  Dim3 cluster = {};                                ///< size in blocks; 1 x 1 x 1: no cluster
  std::optional<std::size_t> share = std::nullopt;  ///< index in Program::shares; none: all SMs
  /// Grid and block are unknown, as for a CUDA graph that was recorded as a whole: the kernel is modelled as a block of 1024
  /// threads on each SM.
  bool unknown_shape = false;
  /// From a profile; null: no profile has this kernel.
  std::shared_ptr<const KernelDemand> demand = nullptr;
  bool demand_by_function = false;  ///< the demand is that of a profiled kernel whose name is written differently
  bool mean_demand = false;         ///< the demand is the mean of several profiled launches
};

struct MeasuredCopy {
  CopyKind kind = CopyKind::kHostToDevice;
  Bytes bytes = 0;
  bool pageable = false;  ///< its host memory is not pinned
  bool staged = false;  ///< its call returned before it had ended: the driver had copied the data into a pinned buffer
};

/// Work that the GPU did for a stream.
struct MeasuredCommand {
  std::string label;       ///< unique
  std::size_t stream = 0;  ///< index in Program::streams
  Nanoseconds start = 0, end = 0;
  std::variant<MeasuredKernel, MeasuredCopy> what;
  bool graph_node = false;                           ///< part of a CUDA graph that was launched as a whole
  std::optional<Nanoseconds> called = std::nullopt;  ///< start of the host's call for it; none: not recorded
  std::optional<std::size_t> next = std::nullopt;  ///< index in Program::commands of the next command of the same call

  Nanoseconds duration() const { return end - start; }
  const MeasuredKernel* kernel() const { return std::get_if<MeasuredKernel>(&what); }
  const MeasuredCopy* copy() const { return std::get_if<MeasuredCopy>(&what); }
};

/// An API call that puts something into a stream, or that may wait.
struct MeasuredCall {
  enum class Kind : std::uint8_t {
    kCommands,           ///< `what` is the index of the first in Program::commands; a graph has several
    kRecordEvent,        ///< records event `what` in `stream`
    kWaitEvent,          ///< commands behind it in `stream` wait for event `what`
    kSynchronizeStream,  ///< the thread waits for all of `stream`
    kSynchronizeDevice,  ///< the thread waits for all streams of the context of `stream`
    kSynchronizeEvent,   ///< the thread waits for event `what`
  };
  Kind kind = Kind::kCommands;
  Nanoseconds start = 0, end = 0;
  /// End of its wait for room in a full launch queue; equal to `start` if it did not wait.
  Nanoseconds entered = 0;
  std::size_t stream = 0;  ///< index in Program::streams
  std::size_t what = 0;
  bool waits = false;    ///< for commands: the thread waits until they have ended (cudaMemcpy)
  bool implied = false;  ///< no manual says that it waits; it does if the times agree (cudaFree)
};

struct MeasuredThread {
  std::uint64_t process = 0, id = 0;
  std::string name;                 ///< may be empty
  std::vector<MeasuredCall> calls;  ///< in the order of `start`
};

/// A named part of the program's time (NVTX, user_annotation).
struct MeasuredRange {
  std::string name;
  std::uint64_t process = 0;
  std::optional<std::uint64_t> thread = std::nullopt;  ///< the thread whose calls are in it; none: the whole process
  Nanoseconds start = 0, end = 0;
};

/// Something missing or wrong in a capture, and how the program deals with it.
struct ProgramNote {
  std::string what;  ///< "kernels end before they start; they are left out"
  std::size_t count = 0;
  std::string first;              ///< place of the first case
  std::string check = "capture";  ///< short name in results
};

struct Program {
  std::string path;
  MeasuredGpu gpu;
  std::vector<MeasuredStream> streams;     ///< in the order of processes, contexts, ids
  std::vector<MeasuredShare> shares;       ///< in the same order
  std::vector<MeasuredCommand> commands;   ///< in the order of their starts
  std::vector<MeasuredThread> threads;     ///< in the order of processes, ids; empty: calls were not recorded
  std::size_t events = 0;                  ///< number of events; calls refer to them by index
  std::vector<MeasuredRange> ranges;       ///< in the order of their starts
  std::vector<std::string> process_names;  ///< names of the processes of `streams`, in ascending order of their ids
  std::vector<std::string> profiles;       ///< files that supplied demands of its kernels
  std::vector<ProgramNote> notes;
  std::vector<std::string> warnings;
};

}  // namespace gputlm
