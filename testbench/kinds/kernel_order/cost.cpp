#include "testbench/cost/blocks.h"

namespace gputlm::cost {

GPUTLM_REGISTER {
  block_kinds().add({{"kernel_order", 5},
                     {{"leftover_kernel_order",
                       "Work distributor: the most urgent kernel with blocks left, the first of these",
                       "clk_i",
                       {{"kernels", "Kernels", 2, 128, false, 32, "kernels in flight"},
                        {"level-bits", "LevelW", 1, 8, false, 3, "bits of a level of priority"}}}}});
}

}  // namespace gputlm::cost
