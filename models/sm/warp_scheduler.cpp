#include "models/sm/warp_scheduler.h"

namespace gputlm {

const std::vector<Policy<std::unique_ptr<WarpScheduler> (*)()>>& warp_schedulers() {
  static const std::vector<Policy<std::unique_ptr<WarpScheduler> (*)()>> kTable{
      {"lrr", "Loose round-robin: the ready warp after the last one that issued", "srtf, table 4; qaws",
       make_loose_round_robin},
      {"gto", "Greedy then oldest: the same warp until it stalls, then the oldest", "fr-rr-fcfs, table 1; qaws",
       make_greedy_then_oldest},
  };
  return kTable;
}

std::unique_ptr<WarpScheduler> make_warp_scheduler(const std::string& name) {
  return find_policy(warp_schedulers(), "sm.warp_scheduler", name).make();
}

}  // namespace gputlm
