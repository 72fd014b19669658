/// What a process did on a GPU, whichever tool recorded it: kernels, copies, streams, waits between them, the host's threads
/// with their calls, ranges by name, and the times that were measured. Importers make programs (capture.h), and nothing
/// behind them knows which tool it was. Times are nanoseconds of one clock of the measurement.
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
  // Limits of an SM, as far as they are known.
  std::optional<unsigned> warps, blocks, registers;
  std::optional<Bytes> shared_memory;

  /// Those that are known, the others as in `assumed`.
  SmLimits limits(SmLimits assumed) const;
};

struct MeasuredStream {
  std::uint64_t process = 0, context = 0, id = 0;
  StreamKind kind = StreamKind::kBlocking;
  int priority = 0;  ///< CUDA's convention: lower is more urgent
};

/// A part of the GPU that kernels were confined to: a green context.
struct MeasuredShare {
  std::uint64_t process = 0, id = 0;
  std::optional<unsigned> sms = std::nullopt;  ///< how many it has; none: the capture does not say
};

struct MeasuredKernel {
  std::string name;  ///< with parameters
  Dim3 grid, block;
  std::uint32_t registers = 0;                      ///< a thread
  Bytes shared_memory = 0;                          ///< a block, static and dynamic
  Dim3 cluster = {};                                ///< in blocks; 1 x 1 x 1: none
  std::optional<std::size_t> share = std::nullopt;  ///< in Program::shares; none: all SMs
  /// Grid and block are not known, as of a CUDA graph that was recorded as a whole: it is taken for a block of 1024 threads
  /// on each SM.
  bool unknown_shape = false;
  /// What a profile has of it; null: no profile has it.
  std::shared_ptr<const KernelDemand> demand = nullptr;
  bool demand_by_function = false;  ///< of a kernel there whose name is written otherwise
  bool mean_demand = false;         ///< in the mean of several launches there
};

struct MeasuredCopy {
  CopyKind kind = CopyKind::kHostToDevice;
  Bytes bytes = 0;
  bool pageable = false;  ///< its host memory is not pinned
  bool staged = false;    ///< and its call returned before it had ended: the driver had copied it into a pinned buffer
};

/// Something that the GPU did for a stream.
struct MeasuredCommand {
  std::string label;       ///< unique
  std::size_t stream = 0;  ///< in Program::streams
  Nanoseconds start = 0, end = 0;
  std::variant<MeasuredKernel, MeasuredCopy> what;
  bool graph_node = false;                           ///< of a CUDA graph that was launched as a whole
  std::optional<Nanoseconds> called = std::nullopt;  ///< when the host's call for it began; none: not recorded
  std::optional<std::size_t> next = std::nullopt;    ///< in Program::commands, the next of the same call

  Nanoseconds duration() const { return end - start; }
  const MeasuredKernel* kernel() const { return std::get_if<MeasuredKernel>(&what); }
  const MeasuredCopy* copy() const { return std::get_if<MeasuredCopy>(&what); }
};

/// A call of the programming interface that puts something into a stream, or that may wait.
struct MeasuredCall {
  enum class Kind : std::uint8_t {
    kCommands,           ///< the first is `what` of Program::commands; there are several of a graph
    kRecordEvent,        ///< event `what`, in `stream`
    kWaitEvent,          ///< what comes behind it in `stream` waits for event `what`
    kSynchronizeStream,  ///< the thread waits for all of `stream`,
    kSynchronizeDevice,  ///< for all streams of the context of `stream`,
    kSynchronizeEvent,   ///< for event `what`
  };
  Kind kind = Kind::kCommands;
  Nanoseconds start = 0, end = 0;
  /// Until then it waited for room, as the launch queue was full; `start`: it did not.
  Nanoseconds entered = 0;
  std::size_t stream = 0;  ///< in Program::streams
  std::size_t what = 0;
  bool waits = false;    ///< of commands: the thread waits until they have ended (cudaMemcpy)
  bool implied = false;  ///< no manual says that it waits; it does where times agree (cudaFree)
};

struct MeasuredThread {
  std::uint64_t process = 0, id = 0;
  std::string name;                 ///< may be empty
  std::vector<MeasuredCall> calls;  ///< by `start`
};

/// A part of the program's time that it has given a name (NVTX, user_annotation).
struct MeasuredRange {
  std::string name;
  std::uint64_t process = 0;
  std::optional<std::uint64_t> thread = std::nullopt;  ///< whose calls are in it; none: all of the process
  Nanoseconds start = 0, end = 0;
};

/// Something that a capture lacks or has wrong, and what the program makes of it.
struct ProgramNote {
  std::string what;  ///< "kernels end before they start; they are left out"
  std::size_t count = 0;
  std::string first;              ///< where the first is
  std::string check = "capture";  ///< its short name in results
};

struct Program {
  std::string path;
  MeasuredGpu gpu;
  std::vector<MeasuredStream> streams;     ///< in the order of processes, contexts, ids
  std::vector<MeasuredShare> shares;       ///< likewise
  std::vector<MeasuredCommand> commands;   ///< in the order of their starts
  std::vector<MeasuredThread> threads;     ///< in the order of processes, ids; none: calls were not recorded
  std::size_t events = 0;                  ///< that calls name by number
  std::vector<MeasuredRange> ranges;       ///< in the order of their starts
  std::vector<std::string> process_names;  ///< of the processes of `streams`, in ascending order of their ids
  std::vector<std::string> profiles;       ///< files that its kernels have demands of
  std::vector<ProgramNote> notes;
  std::vector<std::string> warnings;
};

}  // namespace gputlm
