#include "models/sm/l1/stores.h"

namespace gputlm {

Decision<L1Stores>& l1_stores() {
  static Decision<L1Stores> all("L1 stores", 8, "sm.l1.stores");
  return all;
}

GPUTLM_REGISTER {
  l1_stores().add({{"through", 1},
                   "Lines that are there are updated, others do not come in",
                   "assumed: what no measurement asks to be otherwise"},
                  L1Stores::kThrough);
  l1_stores().add(
      {{"allocate", 2},
       "A line that is not there comes in, without its data; sectors written completely are valid",
       "V100: two kernels that copy 48 KiB each on an SM with 128 KiB do not fit (silicon/corun); Accel-Sim, "
       "SM7_QV100 (gpgpu_cache:dl1, lazy fetch on read)"},
      L1Stores::kAllocate);
  l1_stores().add({{"evict", 3},
                   "Sectors that are there become invalid",
                   "GPGPU-Sim 3: stores to global memory evict (write-evict)"},
                  L1Stores::kEvict);
}

}  // namespace gputlm
