/// The part of a workload file that defines release times, single or repeated: `release_us`, `repeat`, `period_us`,
/// `sporadic_us`, `jitter_us`, `seed`, or `releases_us`.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "platform/input/map_form.h"
#include "tlm/base/time.h"

namespace gputlm {

/// The keys and their rules, for MapForm::with().
const MapForm& arrivals_form();
/// Returns at least one release time, in ascending order. `seed` is used for the draws if the file names none. Throws
/// InputError.
std::vector<Femtoseconds> read_arrivals(const YamlMap& map, std::uint64_t seed);
/// The minimum time between two releases, for all draws: the period of sporadic releases without jitter.
std::optional<Femtoseconds> read_min_interarrival(const YamlMap& map);

// Releases from a CSV file, such as a public arrival trace: `releases_us: {csv: arrivals.csv, column: Timestamp, unit: s}`.

/// The keys of the mapping.
const MapForm& release_table_form();
/// The times of the column, in ascending order, relative to the first row. Throws InputError with the line of the CSV file or
/// of the mapping.
std::vector<Femtoseconds> read_release_table(const YamlNode& node);

}  // namespace gputlm
