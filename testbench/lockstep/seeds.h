/// A design in lockstep under several seeds, some of them at once.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "testbench/lockstep/lockstep.h"

namespace gputlm {

struct SeedRequest {
  LockstepOptions options;             ///< of the first seed; the others differ in the seed alone
  std::optional<std::uint64_t> count;  ///< of seeds; none: until `proceed` ends it
  unsigned parallel = 0;               ///< 0: as many as there are processors
  std::string coverage_folder;         ///< for a file SEED.dat of each, of Verilator's coverage; empty: none
};

/// What the seeds have shown, from the first one up to that which found a difference. It does not depend on how many ran at
/// once, nor does the difference.
struct SeedResults {
  struct Row {
    std::uint64_t seed, decisions, cycles;
  };
  std::vector<Row> rows;
  std::uint64_t decisions = 0, cycles = 0;  ///< of all rows
  CoveragePoints coverage;                  ///< of all rows
  Played played;                            ///< of the last row, where a recording is played
  /// Of the last row, with its difference, if it found one.
  std::optional<LockstepResult> failed;
};

/// `proceed` is called often, with the seeds that are done; false ends the runs under way where they are. Throws what
/// run_lockstep() throws.
SeedResults run_seeds(const Design& design, const SeedRequest& request,
                      const std::function<bool(std::uint64_t done)>& proceed);

}  // namespace gputlm
