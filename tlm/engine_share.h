/// What an application is to have of the execution engine, all the SMs together. Which of it counts is up to the
/// policy of the application decision (models/work_distributor/application.h).
#pragma once

#include <cstdint>
#include <optional>

#include "tlm/record.h"
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

inline constexpr double kMinSliceUs = 0.001;

struct EngineShare {
  std::optional<unsigned> sm_percent = std::nullopt;      ///< of the SMs, for it alone: 1 to 100
  std::optional<unsigned> thread_percent = std::nullopt;  ///< of the threads that each SM holds, at most: 1 to 100
  std::optional<Femtoseconds> time_slice = std::nullopt;
  std::optional<TimeslicePriority> timeslice_priority = std::nullopt;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = EngineShare;
    v.field(&S::sm_percent, "sm_percent", Whole{1, 100, "%"}, "Share of the SMs, for it alone");
    v.field(&S::thread_percent, "thread_percent", Whole{1, 100, "%"},
            "Share of each SM's threads, as CUDA's MPS has it");
    v.field(&S::time_slice, "time_slice_us", Microseconds{kMinSliceUs, kMaxReleaseUs}, "Of its context");
    v.field(&S::timeslice_priority, "timeslice_priority", OneOf{"low", "medium", "high"}, "Of its context",
            "cuda-hierarchy, section III-A");
  }
};

}  // namespace gputlm
