/// An application's share of the execution engine, that is, of all SMs. The policy of the application decision
/// (models/work_distributor/application.h) decides which fields count.
#pragma once

#include <cstdint>
#include <optional>

#include "tlm/base/record.h"
#include "tlm/base/time.h"

namespace gputlm {

/// How often a channel appears in a round of the runlist (cuda-hierarchy, section III-A).
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
inline constexpr unsigned kMaxEngineSms = 256;  ///< maximum number of SMs, as kMaxSms

struct EngineShare {
  // The share of SMs: one of these (models/work_distributor/sm_share.h).
  std::optional<unsigned> sm_percent = std::nullopt;                ///< exclusive share of the SMs: 1 to 100
  std::optional<unsigned> active_thread_percentage = std::nullopt;  ///< limit of an MPS client: 1 to 100
  std::optional<unsigned> green_context_sms = std::nullopt;         ///< SMs of its green context
  std::optional<unsigned> thread_percent = std::nullopt;  ///< maximum share of the threads of each SM, in %: 1 to 100
  std::optional<unsigned> mps_priority = std::nullopt;    ///< priority of its MPS client: 0 normal, 1 below normal
  std::optional<Femtoseconds> time_slice = std::nullopt;
  std::optional<TimeslicePriority> timeslice_priority = std::nullopt;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = EngineShare;
    v.field(&S::sm_percent, "sm_percent", Whole{1, 100, "%"}, "Share of the SMs, reserved for it");
    v.field(&S::active_thread_percentage, "active_thread_percentage", Whole{1, 100, "%"},
            "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE: share of the SMs, rounded up as the driver does",
            "NVIDIA, Multi-Process Service, execution resource provisioning");
    v.field(&S::green_context_sms, "green_context_sms", Whole{1, kMaxEngineSms, "SMs"},
            "SMs of its green context: minCount of cuDevSmResourceSplitByCount, rounded up as the driver does",
            "CUDA Driver API, Green Contexts");
    v.field(&S::thread_percent, "thread_percent", Whole{1, 100, "%"}, "Share of each SM's threads");
    v.field(&S::mps_priority, "mps_priority", Whole{0, 1, kPlain},
            "CUDA_MPS_CLIENT_PRIORITY: 0 normal (the default), 1 below normal, whose streams are all less urgent",
            "NVIDIA, Multi-Process Service, Client Priority Level Control");
    v.field(&S::time_slice, "time_slice_us", Microseconds{kMinSliceUs, kMaxReleaseUs}, "Time slice of its context");
    v.field(&S::timeslice_priority, "timeslice_priority", OneOf{"low", "medium", "high"},
            "Time-slice priority of its context", "cuda-hierarchy, section III-A");
  }
};

}  // namespace gputlm
