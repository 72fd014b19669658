/// Runs a design in lockstep under several seeds, in parallel.
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
  LockstepOptions options;             ///< for the first seed; the others differ only in the seed
  std::optional<std::uint64_t> count;  ///< number of seeds; none: until `proceed` ends it
  unsigned parallel = 0;               ///< 0: the number of processors
  std::string coverage_folder;         ///< folder for Verilator's coverage, a file SEED.dat per seed; empty: none
};

/// The results of all seeds up to the first with a difference. Neither they nor the difference depend on how many runs were
/// parallel.
struct SeedResults {
  struct Row {
    std::uint64_t seed, decisions, cycles;
  };
  std::vector<Row> rows;
  std::uint64_t decisions = 0, cycles = 0;  ///< over all rows
  CoveragePoints coverage;                  ///< over all rows
  Played played;                            ///< of the last row, if a recording is played
  /// The last row, with its difference, if it found one.
  std::optional<LockstepResult> failed;
};

/// `proceed` is called often, with the number of finished seeds; false ends the active runs immediately. Throws what
/// run_lockstep() throws.
SeedResults run_seeds(const Design& design, const SeedRequest& request,
                      const std::function<bool(std::uint64_t done)>& proceed);

}  // namespace gputlm
