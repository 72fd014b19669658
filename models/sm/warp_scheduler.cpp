#include "models/sm/warp_scheduler.h"

namespace gputlm {

const std::vector<Policy<MakeWarpScheduler>>& warp_schedulers() {
  static const std::vector<Policy<MakeWarpScheduler>> kTable{
      {"lrr", "Loose round-robin: the ready warp after the last one that issued", "srtf, table 4; qaws",
       make_loose_round_robin},
      {"gto", "Greedy then oldest: the same warp until it stalls, then the oldest", "fr-rr-fcfs, table 1; qaws",
       make_greedy_then_oldest},
      {"two_level", "Loose round-robin over a few active warps; one that waits for long makes room",
       "qaws, section III", make_two_level},
      {"qaws", "QoS-aware: the kernel whose turn it is, as many warp switches as its budget; gto in it",
       "qaws, algorithm 1", make_qaws},
#ifdef GPUTLM_RTL
      {"lrr@rtl", "lrr, decided by rtl/lrr_sorter.sv", "srtf, table 4; qaws", make_loose_round_robin_rtl},
      {"gto@rtl", "gto, decided by rtl/gto_sorter.sv", "fr-rr-fcfs, table 1; qaws", make_greedy_then_oldest_rtl},
      {"qaws@rtl", "qaws, decided by rtl/qaws_sorter.sv", "qaws, algorithm 1", make_qaws_rtl},
#endif
  };
  return kTable;
}

std::unique_ptr<WarpScheduler> make_warp_scheduler(const std::string& name, const WarpSchedulerSetup& setup) {
  return find_policy(warp_schedulers(), "sm.warp_scheduler", name).make(setup);
}

}  // namespace gputlm
