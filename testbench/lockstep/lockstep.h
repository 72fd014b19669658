/// Lockstep: a design and the C++ model get the same traffic, and every output is compared in every cycle.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "testbench/lockstep/bench.h"

namespace gputlm {

struct LockstepOptions {
  std::uint64_t seed = 1;
  std::uint64_t decisions = 100000;  ///< grants taken, until the run ends
  FixedKnobs knobs;
  /// Where to put the waveform of the last cycles before a difference; empty: nowhere.
  std::string waveform;
  std::uint64_t waveform_cycles = 1000;
  bool count_nets = false;  ///< of a design that shows them (observed_nets.h)
  std::string coverage;     ///< file for Verilator's line and toggle coverage; empty: none
  /// Asked every few thousand cycles; false ends the run early. Null: it goes on.
  std::function<bool()> proceed;
};

/// The first cycle in which design and model differ, or the design has failed by itself.
struct Difference {
  std::uint64_t cycle;
  std::string text;  ///< several lines
};

struct LockstepResult {
  std::uint64_t cycles = 0;
  std::uint64_t decisions = 0;
  Played played;   ///< where a recording is played
  NetCounts nets;  ///< if they are counted
  CoveragePoints coverage;
  std::optional<Difference> difference;
};

/// Throws InputError for knobs that the design does not have or cannot take.
void check_knobs(const FixedKnobs& fixed, const Design& design);
/// Runs until the decisions are made, what is played has ended or a difference is found; after a difference, runs once more up to it for the
/// waveform. The same options give the same run. Several runs of a design may go on at once.
/// Throws as check_knobs() does.
LockstepResult run_lockstep(const Design& design, const LockstepOptions& options);
/// Only that waveform, of the difference that a run with these options has found.
void write_waveform(const Design& design, LockstepOptions options, const Difference& difference);

}  // namespace gputlm
