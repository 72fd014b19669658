/// Releases that a CSV file has, as public arrival traces are: `releases_us: {csv: arrivals.csv, column: Timestamp, unit: s}`.
#pragma once

#include <vector>

#include "platform/input/map_form.h"
#include "tlm/time.h"

namespace gputlm {

/// The keys of the mapping.
const MapForm& release_table_form();
/// The times of the column, in order, from that of the first row on. Throws InputError with the line of the CSV file, or
/// of the mapping.
std::vector<Femtoseconds> read_release_table(const YamlNode& node);

}  // namespace gputlm
