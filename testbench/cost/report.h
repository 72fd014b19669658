/// A study as text, CSV and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "testbench/cost/study.h"

namespace gputlm::cost {

/// Printed below every table: how far two figures may differ without meaning anything. Measured on the arbiters: the same
/// finders, written in words of 64, took FR-FCFS with 16 entries and 2 applications from 2.41 to 2.68 ns and FR-RR-FCFS
/// with 64 and 4 from 4.49 to 3.74 ns; and the mapping scripts' netlists of one block differ by up to 6 % in area.
/// (osu018_stdcells, 16 to 64 entries, 16 banks)
inline constexpr int kAreaNoisePercent = 6, kDelayNoisePercent = 25;

/// Aligned tables, and what the figures mean.
std::string to_text(const Study& study);

/// One line for each block and geometry; overhead columns are empty where there is no baseline, iCE40 columns where it
/// was not asked for.
std::string to_csv(const Study& study);

/// All of it, every mapping script's netlist too.
nlohmann::ordered_json to_json(const Study& study);

}  // namespace gputlm::cost
