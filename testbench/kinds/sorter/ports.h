/// Sorters of warps: parameters and ports of rtl/qaws_sorter.sv, which describes them.
#pragma once

#include "testbench/ports/ports.h"

namespace gputlm {

#define SORTER_SIZE(P)                                                                    \
  P(warps, Warps, 8, 48, kAnyValue, 16, "warps", "warp slots of one sub-core")            \
  P(groups, Groups, 2, 8, kAnyValue, 2, "groups", "groups of warps, one for each budget") \
  P(budget_bits, BudgetW, 1, 16, kAnyValue, 8, "budget-bits", "bits of a budget")         \
  P(full_order, FullOrder, 0, 1, kAnyValue, 1, "order", "1: gives the order of all warps; 0: only the warp to issue")
GPUTLM_SIZE(Sorter, SORTER_SIZE);

/// One budget per group.
using GroupBudgets = Numbers<SorterSize::Most::groups, SorterSize::Most::budget_bits>;
/// Position p starts at bit p * bits_to_name(warps).
using SorterOrder = BitSet<SorterSize::Most::warps * bits_to_name(SorterSize::Most::warps)>;

#define SORTER_PORTS(IN, OUT)                             \
  IN(event_valid, bool, 1)                                \
  IN(event_assign, bool, 1)                               \
  IN(event_slot, std::uint32_t, bits_to_name(s.warps))    \
  IN(event_group, std::uint32_t, bits_to_name(s.groups))  \
  IN(budget, GroupBudgets, s.groups* s.budget_bits)       \
  IN(ready, std::uint64_t, s.warps)                       \
  IN(issue, bool, 1)                                      \
  OUT(grant_valid, bool, 1)                               \
  OUT(grant, std::uint64_t, s.warps)                      \
  OUT(grant_slot, std::uint32_t, bits_to_name(s.warps))   \
  OUT(order, SorterOrder, s.warps* bits_to_name(s.warps)) \
  OUT(order_count, std::uint32_t, bits_to_name(s.warps + 1))
GPUTLM_PORTS(Sorter, SORTER_PORTS);

}  // namespace gputlm
