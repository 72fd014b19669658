/// How fast blocks get on, by what is on their SM: the staircase model (srtf, section 3.3) with durations that depend on
/// residency and co-runners (section 3.4), out of a table of measurements. Integers only: no rounding of the machine decides
/// when a block ends.
///
/// A block has an amount of work, kWork for the mean block of its kernel, and does some of it in each cycle: so much that
/// the mean block takes the cycles of the table. What the table does not have is in between of what it has: durations and
/// slowdowns are linear in the number of blocks between those that were measured. Beside several kernels a block is slowed by
/// each as if the others were not there, and the slowdowns multiply.
///
/// Of a table for SMs that send requests, the same goes for the cycles with delayed replies and for the mean latency. A
/// block's cycles are linear in the latency: between the two that were measured, and beyond.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/kernel/kernel.h"
#include "models/sm/blocks/table.h"
#include "models/sm/blocks/work.h"

namespace gputlm {

/// Work of the mean block, and what is done of it in a cycle.
using Work = std::uint64_t;
inline constexpr Work kWork = Work{1} << 48;

/// Cycles by which blocks wait for requests: fractions of 2^-32, negative where replies came early.
using Wait = std::int64_t;
inline constexpr unsigned kWaitFraction = 32;

class BlockDurations {
 public:
  /// Of a kernel of the run: a place in the table.
  using Profile = std::uint32_t;
  static constexpr Profile kOnlySpins = ~Profile{0};  ///< is no work for an SM, and needs no table

  explicit BlockDurations(DurationTable table);

  const DurationTable& table() const { return table_; }
  void add(const Kernel& kernel, Profile profile) { profiles_[&kernel] = profile; }
  /// Of a kernel that has been added; anything else is a std::logic_error.
  Profile profile(const Kernel& kernel) const;

  /// Blocks of a kernel on an SM, of those that get on.
  struct Resident {
    Profile profile;
    unsigned blocks;
  };
  /// What each block of all[k] does in a cycle; at least 1. `first`: one that came to an SM where no block of its launch had
  /// ended.
  Work rate(const std::vector<Resident>& all, std::size_t k, bool first = false) const;

  /// What is known of the requests of all[k].
  struct Requests {
    Cycle first = 0, later = 0;  ///< mean latency that was measured: of blocks that came to an empty SM, and of others
    Wait exposed = 0;            ///< for which a block waits longer, by cycle that one request is later than that
  };
  Requests requests(const std::vector<Resident>& all, std::size_t k) const;
  /// Of a block's work: as much as is done while a request is under way.
  Work tail(Profile profile, Work work, bool first) const;
  /// Of a block's work: what is no work, but time for which its requests are waited for; 7/8 of it at most. And what each
  /// of them has of that. By Little's law a block has no more than `at_once` under way, however late they are: as few blocks as
  /// were measured, whose cycles grow with the latency, let no more through.
  struct Waits {
    Work all = 0, each = 0;
    Work last = 0;  ///< of that, what follows the last of its instructions
    std::uint64_t at_once = ~std::uint64_t{0};
  };
  Waits waits(Profile profile, Work work, bool first) const;

  /// What a block has to do. `first`: as for rate(), but as much more at every residency as with as many blocks as fit. For
  /// one of the two: srtf/workloads and random mixes come closer so with a closed-form memory (1.7 and 3.1 % off, not 2.0
  /// and 4.1).
  Work work(Profile profile, std::uint32_t block, const BlockWork& its, bool first = false) const;

 private:
  /// Something that was measured of all kernels, by residency and beside others.
  class Measured {
   public:
    using Alone = KernelDurations::Alone;
    Measured(const DurationTable& table, std::vector<Alone> KernelDurations::*alone,
             unsigned (PairDurations::Beside::*factor)[2]);
    /// Of all[k], in units of 2^-16.
    std::uint64_t of(const std::vector<Resident>& all, std::size_t k, Cycle Alone::*which = &Alone::later) const;

   private:
    struct Slowdown {
      unsigned blocks;   ///< of the other kernel
      std::uint64_t by;  ///< in units of 2^-16
    };
    /// Of a kernel, by so many of its blocks, beside another.
    struct Row {
      unsigned blocks;
      std::vector<Slowdown> slowdowns;
    };
    std::uint64_t alone(Profile profile, unsigned blocks, Cycle Alone::*which) const;
    std::uint64_t slowdown(Profile profile, unsigned blocks, const Resident& other) const;

    std::vector<std::vector<Alone>> alone_;
    std::vector<std::vector<std::vector<Row>>> beside_;  ///< by kernel and by the other; without rows: not measured
  };

  DurationTable table_;
  Measured cycles_, delayed_, latency_;
  std::vector<std::uint64_t> names_;  ///< hashed, of each kernel of the table
  std::map<const Kernel*, Profile> profiles_;
};

}  // namespace gputlm
