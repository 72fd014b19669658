/// The rates at which blocks progress, by what is on their SM: the staircase model (srtf, section 3.3) with durations that
/// depend on residency and co-runners (section 3.4), from a table of measurements. It uses only integers, so that a
/// machine's rounding never decides when a block ends.
///
/// A block has an amount of work, kWork for the mean block of its kernel, and does some of it in each cycle, such that the
/// mean block takes the cycles of the table. Durations and slowdowns are interpolated linearly in the number of blocks.
/// With several co-running kernels, each slows a block as if the others were not there, and the slowdowns multiply.
///
/// In a table for SMs that send requests, the same holds for the cycles with delayed replies and for the mean latency. A
/// block's cycles are linear in the latency, within and beyond the two measurements.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/kernel/kernel.h"
#include "models/sm/blocks/table.h"
#include "models/sm/blocks/work.h"

namespace gputlm {

/// Work of a block, and work done in a cycle.
using Work = std::uint64_t;
inline constexpr Work kWork = Work{1} << 48;

/// Cycles by which blocks wait for requests, in units of 2^-32; negative if replies came early.
using Wait = std::int64_t;
inline constexpr unsigned kWaitFraction = 32;

class BlockDurations {
 public:
  /// Index of a kernel in the table.
  using Profile = std::uint32_t;
  static constexpr Profile kOnlySpins = ~Profile{0};  ///< profile of a kernel without work for an SM; needs no table

  explicit BlockDurations(DurationTable table);

  const DurationTable& table() const { return table_; }
  void add(const Kernel& kernel, Profile profile) { profiles_[&kernel] = profile; }
  /// The profile of a kernel that has been added; throws std::logic_error for others.
  Profile profile(const Kernel& kernel) const;

  /// The progressing blocks of a kernel on an SM.
  struct Resident {
    Profile profile;
    unsigned blocks;
  };
  /// Work that each block of all[k] does in a cycle; at least 1. `first`: for a block that started on an SM where no block
  /// of its launch had ended.
  Work rate(const std::vector<Resident>& all, std::size_t k, bool first = false) const;

  /// The requests of all[k].
  struct Requests {
    Cycle first = 0, later = 0;  ///< measured mean latency for blocks that started on an empty SM, and for others
    Wait exposed = 0;            ///< added wait of a block per cycle of added latency of one request
  };
  Requests requests(const std::vector<Resident>& all, std::size_t k) const;
  /// The part of a block's work done while a request is in flight.
  Work tail(Profile profile, Work work, bool first) const;
  /// The part of a block's work that is time spent waiting for its requests, at most 7/8, and the share of each request. By
  /// Little's law a block has at most `at_once` requests in flight, however late they are: the few blocks that were
  /// measured, whose cycles grow with the latency, allow no more.
  struct Waits {
    Work all = 0, each = 0;
    Work last = 0;  ///< the part of `all` after the block's last instruction
    std::uint64_t at_once = ~std::uint64_t{0};
  };
  Waits waits(Profile profile, Work work, bool first) const;

  /// The work of a block. `first`: as for rate(), but with the same ratio at every residency as with as many blocks as fit.
  /// It applies to either rate() or work(): with a closed-form memory, this is closer for srtf/workloads and random mixes
  /// (errors of 1.7 and 3.1 %, not 2.0 and 4.1).
  Work work(Profile profile, std::uint32_t block, const BlockWork& its, bool first = false) const;

 private:
  /// A quantity measured for all kernels, by residency and with co-runners.
  class Measured {
   public:
    using Alone = KernelDurations::Alone;
    Measured(const DurationTable& table, std::vector<Alone> KernelDurations::*alone,
             unsigned (PairDurations::Beside::*factor)[2]);
    /// The quantity for all[k], in units of 2^-16.
    std::uint64_t of(const std::vector<Resident>& all, std::size_t k, Cycle Alone::*which = &Alone::later) const;

   private:
    struct Slowdown {
      unsigned blocks;   ///< blocks of the other kernel
      std::uint64_t by;  ///< slowdown in units of 2^-16
    };
    /// Slowdowns of a kernel with a number of blocks, next to another kernel.
    struct Row {
      unsigned blocks;
      std::vector<Slowdown> slowdowns;
    };
    std::uint64_t alone(Profile profile, unsigned blocks, Cycle Alone::*which) const;
    std::uint64_t slowdown(Profile profile, unsigned blocks, const Resident& other) const;

    std::vector<std::vector<Alone>> alone_;
    std::vector<std::vector<std::vector<Row>>> beside_;  ///< rows for each kernel and co-runner; none: not measured
  };

  DurationTable table_;
  Measured cycles_, delayed_, latency_;
  std::vector<std::uint64_t> names_;  ///< hash of each kernel's name
  std::map<const Kernel*, Profile> profiles_;
};

}  // namespace gputlm
