#include "testbench/cost/blocks.h"

namespace gputlm::cost {
namespace {

std::vector<BlockParameter> flit_arbiter_parameters(bool has_ages, bool has_weights) {
  return {
      {"inputs", "Inputs", 2, 256, false, 8, "inputs of a switch"},
      {"apps", "Apps", 1, 8, false, 4, "applications", has_weights},
      {"weight-bits", "WeightW", 1, 8, false, 6, "bits of an application's weight", has_weights},
      {"length-bits", "LengthW", 1, 8, false, 4, "bits of the number of flits of a packet", has_weights},
      {"age-bits", "AgeW", 1, 16, false, 12, "bits of a packet's age", has_ages},
  };
}

GPUTLM_REGISTER {
  block_kinds().add({{"flit_arbiter", 4},
                     {{"round_robin_flit_arbiter", "Output of the crossbar: inputs in turn", "clk_i",
                       flit_arbiter_parameters(false, false)},
                      {"oldest_flit_arbiter", "Output of the crossbar: the oldest packet, inputs in turn among equals",
                       "clk_i", flit_arbiter_parameters(true, false)},
                      {"weighted_flit_arbiter", "Output of the crossbar: applications in turn, by their weights",
                       "clk_i", flit_arbiter_parameters(false, true)}}});
}

}  // namespace
}  // namespace gputlm::cost
