/// Number of SMs of an application's share, requested and given. Shares that have CUDA's names are rounded up as by NVIDIA's
/// driver:
///
/// - EngineShare::active_thread_percentage: MPS limits a client to a portion of the threads that the GPU holds. It rounds the
///   limit up to what the hardware supports and tells the client this number of SMs (NVIDIA, Multi-Process Service,
///   "Volta MPS Execution Resource Provisioning" and CUDA_MPS_ACTIVE_THREAD_PERCENTAGE). What is supported is not documented;
///   here it is whole TPCs, by which the hardware switches SMs on and off for a context (Bakita and Anderson, "Hardware Compute
///   Partitioning on NVIDIA GPUs", RTAS 2023).
/// - EngineShare::green_context_sms: cuDevSmResourceSplitByCount rounds minCount up to a multiple, and to a least number, of
///   the compute capability (CUDA Driver API 12.4, "Green Contexts": 1 on 6.x; 2 and multiples of 2 on 7.x; 4 and multiples
///   of 2 on 8.x; 8 and multiples of 8 from 9.0 on). Besides its groups, the split gives the remaining SMs, `remainder`,
///   of which a green context of any number of SMs can also be made (CUDA Programming Guide, "Green Contexts": of the 132
///   SMs of a GH200, 6 groups of at least 11 are 6 of 16, and 36 are left).
#pragma once

#include <optional>
#include <vector>

#include "tlm/engine_share.h"

namespace gputlm {

/// Options of the application policy `partitioned`.
struct SmGranularity {
  unsigned tpc_sms = 1, green_least = 1, green_step = 1;

  template <class Visitor>
  static void describe(Visitor& v) {
    using S = SmGranularity;
    v.number(&S::tpc_sms, "tpc_sms", "SMs", 1, 8, "SMs of a TPC: active_thread_percentage assigns whole TPCs",
             "Bakita and Anderson, RTAS 2023");
    const char* const green = "CUDA Driver API, Green Contexts";
    v.number(&S::green_least, "green_least", "SMs", 1, kMaxEngineSms,
             "Minimum number of SMs that green_context_sms assigns", green);
    v.number(&S::green_step, "green_step", "SMs", 1, kMaxEngineSms,
             "Granularity of the SMs that green_context_sms assigns", green);
  }
};

struct SmShare {
  unsigned asked = 0;  ///< requested SMs, in hundredths of an SM
  unsigned given = 0;  ///< number of SMs; 0, or more than there are: not available
  bool alone = false;  ///< it is a green context: no other green context has an SM of it
  bool rest = false;   ///< it is a green context with all SMs that the others leave, not rounded
  /// Whether the driver has rounded it.
  bool rounded() const { return asked != 100 * given; }
};

/// Share of each application, of `sms` SMs; none if it has none. If green contexts do not fit, one that requests exactly
/// what the others leave is the remainder of the split: the last of those that qualify.
std::vector<std::optional<SmShare>> sm_shares(const std::vector<EngineShare>& shares, unsigned sms,
                                              const SmGranularity& granularity);

}  // namespace gputlm
