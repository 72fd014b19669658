#include "testbench/cost/blocks.h"

namespace gputlm::cost {
namespace {

std::vector<BlockParameter> sorter_parameters(bool has_groups) {
  return {
      {"warps", "Warps", 8, 48, false, 16, "warp slots of one sub-core"},
      {"groups", "Groups", 2, 8, false, 2, "groups of warps, one for each budget", has_groups},
      {"budget-bits", "BudgetW", 1, 16, false, 8, "bits of a budget", has_groups},
      {"order", "FullOrder", 0, 1, false, 0, "1: gives the order of all warps; 0: only the warp to issue"},
  };
}

GPUTLM_REGISTER {
  block_kinds().add(
      {{"sorter", 3},
       {{"lrr_sorter", "LRR warp sorter: slots in turn", "clk_i", sorter_parameters(false)},
        {"gto_sorter", "GTO warp sorter: the last one again, else the oldest", "clk_i", sorter_parameters(false)},
        {"qaws_sorter", "QAWS warp sorter: groups in turn within their budgets, then as GTO", "clk_i",
         sorter_parameters(true)}}});
}

}  // namespace
}  // namespace gputlm::cost
