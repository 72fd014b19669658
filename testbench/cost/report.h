/// A study as text, CSV and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "testbench/cost/study.h"

namespace gputlm::cost {

/// Printed below every table: differences of this size are noise. Measured on the arbiters: the same finders, written in
/// words of 64, changed FR-FCFS with 16 entries and 2 applications from 2.41 to 2.68 ns and FR-RR-FCFS with 64 and 4 from
/// 4.49 to 3.74 ns; the netlists that the mapping scripts make of one block differ by up to 6 % in area. (osu018_stdcells, 16
/// to 64 entries, 16 banks)
inline constexpr int kAreaNoisePercent = 6, kDelayNoisePercent = 25;

/// Aligned tables with explanations of the figures.
std::string to_text(const Study& study);

/// One line per block and geometry. Overhead columns are empty without a baseline, iCE40 columns unless requested.
std::string to_csv(const Study& study);

/// The complete study, with the netlist of every mapping script.
nlohmann::ordered_json to_json(const Study& study);

}  // namespace gputlm::cost
