/// What ran on a GPU, when, as it was measured there: kernels and copies in the order of their starts. Times are in
/// nanoseconds of a clock of the measurement.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/host/workload.h"
#include "models/kernel/kernel.h"
#include "models/sm_limits.h"
#include "tlm/copy.h"

namespace gputlm {

using Nanoseconds = std::int64_t;

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
  int priority = 0;
};

/// What kernels and copies have alike.
struct MeasuredCommand {
  std::string label;       ///< unique
  std::size_t stream = 0;  ///< in MeasuredTimeline::streams
  Nanoseconds start = 0, end = 0;
  std::optional<Nanoseconds> launched = std::nullopt;  ///< the host called for it
};

struct MeasuredKernel : MeasuredCommand {
  std::string name;  ///< with parameters
  Dim3 grid, block;
  std::uint32_t registers = 0;  ///< a thread
  Bytes shared_memory = 0;      ///< a block
};

struct MeasuredCopy : MeasuredCommand {
  CopyKind kind = CopyKind::kHostToDevice;
  Bytes bytes = 0;
  bool pageable = false;
};

struct MeasuredTimeline {
  std::string path;
  MeasuredGpu gpu;
  std::vector<MeasuredStream> streams;  ///< in the order of processes, contexts, ids
  std::vector<MeasuredKernel> kernels;
  std::vector<MeasuredCopy> copies;
  std::vector<std::string> process_names;  ///< of the processes of `streams`, in ascending order of their ids
  std::vector<std::string> warnings;       ///< what of the file is not here
};

}  // namespace gputlm
