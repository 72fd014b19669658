/// The commands' names in tables of tests.
#pragma once

#include "models/dram/timing.h"

namespace gputlm {

inline constexpr auto kAct = Command::kActivate;
inline constexpr auto kPre = Command::kPrecharge;
inline constexpr auto kRd = Command::kRead;
inline constexpr auto kWr = Command::kWrite;
inline constexpr auto kRef = Command::kRefresh;

}  // namespace gputlm
