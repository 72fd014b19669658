/// The part of a workload file that says when something is released, once or again and again: `release_us`, `repeat`,
/// `period_us`, `sporadic_us`, `jitter_us`, `seed`, or `releases_us`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/input/yaml_reader.h"
#include "tlm/time.h"

namespace gputlm {

/// Of a number of microseconds, the nearest.
Femtoseconds femtoseconds(double microseconds);

/// The keys, for YamlMap.
const std::vector<std::string>& arrival_keys();
/// At least one release time, in order. `seed`: of the draws, where the file names none. Throws InputError.
std::vector<Femtoseconds> read_arrivals(const YamlMap& map, std::uint64_t seed);

}  // namespace gputlm
