/// What an application is to have of the execution engine, all the SMs together. Which of it counts is up to the
/// policy of the application decision (models/work_distributor/application.h).
#pragma once

#include <cstdint>
#include <optional>

#include "tlm/time.h"

namespace gputlm {

/// How often a channel stands in a round of the runlist (cuda-hierarchy, section III-A).
enum class TimeslicePriority : std::uint8_t { kLow, kMedium, kHigh };

inline const char* to_string(TimeslicePriority priority) {
  switch (priority) {
    case TimeslicePriority::kLow: return "low";
    case TimeslicePriority::kMedium: return "medium";
    case TimeslicePriority::kHigh: return "high";
  }
  return "";
}

struct EngineShare {
  std::optional<unsigned> sm_percent = std::nullopt;      ///< of the SMs, for it alone: 1 to 100
  std::optional<unsigned> thread_percent = std::nullopt;  ///< of the threads that each SM holds, at most: 1 to 100
  std::optional<Femtoseconds> time_slice = std::nullopt;
  std::optional<TimeslicePriority> timeslice_priority = std::nullopt;
};

}  // namespace gputlm
