/// Lockstep: a design and the C++ model get the same traffic, and every output is compared in every cycle;
/// under one seed, or under several in parallel.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "testbench/lockstep/bench.h"

namespace gputlm {

struct LockstepOptions {
  std::uint64_t seed = 1;
  std::uint64_t decisions = 100000;  ///< number of grants taken at which the run ends
  FixedKnobs knobs;
  /// File for the waveform of the last cycles before a difference; empty: none.
  std::string waveform;
  std::uint64_t waveform_cycles = 1000;
  bool count_nets = false;  ///< count the nets of a design with visible nets (observed_nets.h)
  std::string coverage;     ///< file for Verilator's line and toggle coverage; empty: none
  /// Called every few thousand cycles; false ends the run early. Null: no callback.
  std::function<bool()> proceed;
};

/// The first cycle in which design and model differ, or in which the design itself failed.
struct Difference {
  std::uint64_t cycle;
  std::string text;  ///< description in several lines
};

struct LockstepResult {
  std::uint64_t cycles = 0;
  std::uint64_t decisions = 0;
  Played played;   ///< progress of the playback, if a recording is played
  NetCounts nets;  ///< counts of the nets, if they are counted
  CoveragePoints coverage;
  std::optional<Difference> difference;
};

/// Throws InputError for knobs that the design does not have, and for values out of range.
void check_knobs(const FixedKnobs& fixed, const Design& design);
/// Runs until the number of decisions is reached, the recording has ended or a difference is found; after a difference, runs
/// again up to it for the waveform. The same options give the same run. Several runs of a design may be active at once.
/// Throws as check_knobs() does.
LockstepResult run_lockstep(const Design& design, const LockstepOptions& options);
/// Writes only the waveform of a difference that a run with these options found.
void write_waveform(const Design& design, LockstepOptions options, const Difference& difference);

struct SeedRequest {
  LockstepOptions options;             ///< options of the first seed; the others differ only in the seed
  std::optional<std::uint64_t> count;  ///< number of seeds; none: until `proceed` ends it
  unsigned parallel = 0;               ///< number of simultaneous runs; 0: the number of processors
  std::string coverage_folder;         ///< folder for Verilator's coverage, a file SEED.dat per seed; empty: none
};

/// The results of all seeds up to the first with a difference. Neither they nor the difference depend on how many runs were
/// parallel.
struct SeedResults {
  struct Row {
    std::uint64_t seed, decisions, cycles;
  };
  std::vector<Row> rows;
  std::uint64_t decisions = 0, cycles = 0;  ///< sums over all rows
  CoveragePoints coverage;                  ///< sum over all rows
  Played played;                            ///< playback of the last row, if a recording is played
  /// The last row, with its difference, if it found one.
  std::optional<LockstepResult> failed;
};

/// `proceed` is called often, with the number of finished seeds; false ends the active runs immediately. Throws what
/// run_lockstep() throws.
SeedResults run_seeds(const Design& design, const SeedRequest& request,
                      const std::function<bool(std::uint64_t done)>& proceed);

}  // namespace gputlm
