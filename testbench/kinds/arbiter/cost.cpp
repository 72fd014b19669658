#include "testbench/cost/blocks.h"

namespace gputlm::cost {
namespace {

std::vector<BlockParameter> arbiter_parameters() {
  return {
      {"entries", "Entries", 8, 128, false, 32, "requests that wait in one memory controller"},
      {"apps", "Apps", 1, 8, false, 4, "applications"},
      {"banks", "Banks", 1, 64, true, 16, "banks"},
      {"row-bits", "RowW", 1, 32, false, 14, "bits of a row number"},
      {"cap", "HasCap", 0, 1, false, 0, "1: with the logic that caps row hits"},
  };
}

GPUTLM_REGISTER {
  block_kinds().add(
      {{"arbiter", 1},
       {{"fr_fcfs_arbiter", "FR-FCFS memory arbiter: oldest row hit, else oldest", "clk_i", arbiter_parameters()},
        {"fr_rr_fcfs_arbiter", "FR-RR-FCFS memory arbiter: oldest row hit, else applications in turn", "clk_i",
         arbiter_parameters()}}});
}

}  // namespace
}  // namespace gputlm::cost
