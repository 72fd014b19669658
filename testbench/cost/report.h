/// A study as text, CSV and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "testbench/cost/study.h"

namespace gputlm::cost {

/// Printed below every table: how far two figures may differ without meaning anything (measured by writing the same
/// function in different ways).
inline constexpr int kAreaNoisePercent = 5, kDelayNoisePercent = 10;

/// Aligned tables, and what the figures mean.
std::string to_text(const Study& study);

/// One line for each block and geometry; overhead columns are empty where there is no baseline, iCE40 columns where it
/// was not asked for.
std::string to_csv(const Study& study);

/// All of it, every mapping script's netlist too.
nlohmann::ordered_json to_json(const Study& study);

}  // namespace gputlm::cost
