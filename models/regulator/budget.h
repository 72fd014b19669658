/// An application's budget of memory bandwidth, as in MemGuard for the cores of a CPU (Yun et al., "MemGuard: Memory
/// Bandwidth Reservation System for Efficient Performance Isolation in Multi-core Platforms", RTAS 2013).
#pragma once

#include "tlm/base/record.h"
#include "tlm/base/time.h"

namespace gputlm {

inline constexpr Bytes kMaxBudget = Bytes{1} << 40;
inline constexpr double kMinBudgetPeriodUs = 0.01, kMaxBudgetPeriodUs = 1e6;

struct MemoryBudget {
  Bytes bytes = 0;
  Femtoseconds period = 0;
  bool reads = true, writes = true;  ///< which accesses count and wait; atomics are both

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = MemoryBudget;
    v.required(&S::bytes, "bytes", Size{1, kMaxBudget}, "Bytes that it may read and write per period");
    v.required(&S::period, "period_us", Microseconds{kMinBudgetPeriodUs, kMaxBudgetPeriodUs},
               "Period after which the budget is replenished");
    v.field(&S::reads, "reads", Flag{}, "Whether reads count and wait");
    v.field(&S::writes, "writes", Flag{}, "Whether writes count and wait");
  }
};

}  // namespace gputlm
