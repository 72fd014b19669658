/// Rules by which a GPU schedules an application's blocks, as far as the times and SMs of blocks can show violations
/// (Otterness et al., "An Empirical Evaluation of CUDA Scheduling", OSPERT 2017; Amert et al., RTSS 2017): kernels of a
/// stream run one after the other, and an SM takes a block only if it has the threads, the shared memory and the slot for it.
/// The order of kernels is not judged: measurements have no stream priorities, no SM masks and no dependences on the NULL
/// stream.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tlm/base/time.h"

namespace gputlm {

/// Resident capacity of a GPU.
struct SmCapacity {
  unsigned sms = 0;
  unsigned threads = 0;  ///< threads per SM; the others are per SM, too
  std::optional<unsigned> blocks = std::nullopt;
  std::optional<Bytes> shared_memory = std::nullopt;
};

/// Times in nanoseconds since some start.
struct TimedBlock {
  std::int64_t start = 0, end = 0;
  std::uint64_t sm = 0;
  std::optional<std::size_t> number =
      std::nullopt;  ///< index in its grid; none: its position among the kernel's blocks
};

struct TimedKernel {
  std::string label;
  std::size_t stream = 0;     ///< kernels of a stream are in the order of their launches
  std::uint64_t process = 0;  ///< blocks of several processes may take turns on an SM, so each process has all of it
  std::uint64_t grid = 0;     ///< launched blocks, except those whose times are unknown
  unsigned threads = 0;       ///< threads per block
  Bytes shared_memory = 0;
  /// When the host called for the launch, and when it noticed the end, as far as known.
  std::optional<std::int64_t> launched = std::nullopt, known = std::nullopt;
  std::vector<TimedBlock> blocks;
};

struct BrokenRule {
  std::string rule;
  std::string what;  ///< which blocks, and when
};

/// Host and GPU have different clocks: cuda_scheduling_examiner determines their offset at its start, and they drift. They
/// are assumed to stay within this bound. In public traces of a K5000 they drift by some tens of ns per ms, so a block may
/// seem to end late because of the clocks alone; messages give both times.
inline constexpr std::int64_t kClocksApartNs = 5'000;

/// All violations, rule by rule.
std::vector<BrokenRule> broken_rules(const std::vector<TimedKernel>& kernels, const SmCapacity& capacity);

}  // namespace gputlm
