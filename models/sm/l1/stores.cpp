#include "models/sm/l1/stores.h"

namespace gputlm {

Decision<L1Stores>& l1_stores() {
  static Decision<L1Stores> all("L1 stores", 8, "sm.l1.stores");
  return all;
}

GPUTLM_REGISTER {
  l1_stores().add(
      {{"through", 1}, "Present lines are updated, others are not allocated", "assumed: no measurement contradicts it"},
      L1Stores::kThrough);
  l1_stores().add(
      {{"allocate", 2},
       "A missing line is allocated without its data; completely written sectors are valid",
       "V100: two kernels that copy 48 KiB each on an SM with 128 KiB do not fit (silicon/corun); Accel-Sim, "
       "SM7_QV100 (gpgpu_cache:dl1, lazy fetch on read)"},
      L1Stores::kAllocate);
  l1_stores().add(
      {{"evict", 3}, "Present sectors become invalid", "GPGPU-Sim 3: stores to global memory evict (write-evict)"},
      L1Stores::kEvict);
}

}  // namespace gputlm
