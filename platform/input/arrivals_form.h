/// The part of a workload file that says when something is released, once or again and again: `release_us`, `repeat`,
/// `period_us`, `sporadic_us`, `jitter_us`, `seed`, or `releases_us`.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "platform/input/map_form.h"
#include "tlm/time.h"

namespace gputlm {

/// The keys and their rules, for MapForm::with().
const MapForm& arrivals_form();
/// At least one release time, in order. `seed`: of the draws, where the file names none. Throws InputError.
std::vector<Femtoseconds> read_arrivals(const YamlMap& map, std::uint64_t seed);
/// The least time from a release to the next, whatever is drawn: of sporadic releases without jitter, whose period says it.
std::optional<Femtoseconds> read_min_interarrival(const YamlMap& map);

// Releases that a CSV file has, as public arrival traces are: `releases_us: {csv: arrivals.csv, column: Timestamp, unit: s}`.

/// The keys of the mapping.
const MapForm& release_table_form();
/// The times of the column, in order, from that of the first row on. Throws InputError with the line of the CSV file, or
/// of the mapping.
std::vector<Femtoseconds> read_release_table(const YamlNode& node);

}  // namespace gputlm
