/// Rules of how a GPU schedules the blocks of an application, as far as the times and places of blocks can tell whether
/// they are kept (Otterness et al., "An Empirical Evaluation of CUDA Scheduling", OSPERT 2017; Amert et al., RTSS 2017):
/// kernels of a stream run one after the other, and an SM takes a block only if it has the threads, the shared memory and
/// the slot for it. Which kernel goes first is not judged: what is measured has neither the priorities of streams, nor
/// masks of SMs, nor what the NULL stream waits for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tlm/time.h"

namespace gputlm {

/// What a GPU holds at a time.
struct SmCapacity {
  unsigned sms = 0;
  unsigned threads = 0;  ///< of an SM, as are the others
  std::optional<unsigned> blocks = std::nullopt;
  std::optional<Bytes> shared_memory = std::nullopt;
};

/// Nanoseconds since some start.
struct TimedBlock {
  std::int64_t start = 0, end = 0;
  std::uint64_t sm = 0;
  std::optional<std::size_t> number = std::nullopt;  ///< in its grid; otherwise its place among those of the kernel
};

struct TimedKernel {
  std::string label;
  std::size_t stream = 0;     ///< kernels of a stream are in the order of their launches
  std::uint64_t process = 0;  ///< blocks of several may take turns on an SM, so each has all of it
  std::uint64_t grid = 0;     ///< blocks that were launched, without those whose times are not known
  unsigned threads = 0;       ///< of a block
  Bytes shared_memory = 0;
  /// When the host called for the launch, and when it knew of the end, as far as that is known.
  std::optional<std::int64_t> launched = std::nullopt, known = std::nullopt;
  std::vector<TimedBlock> blocks;
};

struct BrokenRule {
  std::string rule;
  std::string what;  ///< which blocks, when
};

/// Clocks of host and GPU are not the same one: cuda_scheduling_examiner finds their offset at its start, and they drift.
/// Assumed: no further apart than this. In public traces of a K5000 they move by some tens of ns in a ms, so a block may end
/// late by the clocks alone; what is told has both times.
inline constexpr std::int64_t kClocksApartNs = 5'000;

/// All that are broken, rule by rule.
std::vector<BrokenRule> broken_rules(const std::vector<TimedKernel>& kernels, const SmCapacity& capacity);

}  // namespace gputlm
