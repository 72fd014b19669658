#include "testbench/cost/blocks.h"

namespace gputlm::cost {
namespace {

std::vector<BlockParameter> regulator_parameters() {
  return {
      {"apps", "Apps", 1, 8, false, 4, "applications"},
      {"token-bits", "TokenW", 1, 32, false, 16, "bits of a budget"},
      {"length-bits", "LengthW", 1, 8, false, 8, "bits of the number of bytes of a request"},
  };
}

GPUTLM_REGISTER {
  block_kinds().add(
      {{"regulator", 6},
       {{"hard_regulator", "Memory budgets: each application has its own", "clk_i", regulator_parameters()},
        {"reclaim_regulator", "Memory budgets: what one leaves is for all in the next period", "clk_i",
         regulator_parameters()}}});
}

}  // namespace
}  // namespace gputlm::cost
