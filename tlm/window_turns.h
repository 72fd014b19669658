/// Whose turn it is: a division of units into two halves such that no two neighbours are in the same one
/// (tlm/window_schedule.h).
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace gputlm {

/// By unit, 0 or 1; a unit that is neighbour to none has turn 0. Empty if there is no such division: somewhere neighbours
/// form a ring of an odd number.
std::vector<unsigned> turns_of(std::size_t units, const std::vector<std::pair<std::size_t, std::size_t>>& neighbours);

}  // namespace gputlm
