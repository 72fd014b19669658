/// Turns: a division of units into two halves such that no two neighbours are in the same half (tlm/window_schedule.h).
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace gputlm {

/// The turn of each unit, 0 or 1; a unit without neighbours has turn 0. Empty if there is no such division, that is if
/// neighbours form an odd ring.
std::vector<unsigned> turns_of(std::size_t units, const std::vector<std::pair<std::size_t, std::size_t>>& neighbours);

}  // namespace gputlm
