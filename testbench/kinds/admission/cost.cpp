#include "testbench/cost/blocks.h"

namespace gputlm::cost {
namespace {

GPUTLM_REGISTER {
  block_kinds().add({{"admission", 2},
                     {{"reserved_admission",
                       "Admission to a memory controller's queue: applications in turn, entries kept for each",
                       "clk_i",
                       {
                           {"entries", "Entries", 8, 128, false, 32, "of the memory controller's queue"},
                           {"apps", "Apps", 2, 8, false, 2, "applications"},
                           {"length-bits", "LengthW", 1, 8, false, 3, "bits of the number of bursts of an access"},
                           {"shared", "HasShared", 0, 1, false, 1, "1: with shared entries; 0: a partition"},
                       }}}});
}

}  // namespace
}  // namespace gputlm::cost
