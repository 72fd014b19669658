#include "models/sm/warp_scheduler.h"

namespace gputlm {

ObjectDecision<WarpScheduler, WarpSchedulerSetup>& warp_schedulers() {
  static ObjectDecision<WarpScheduler, WarpSchedulerSetup> all("warp order", 4, "sm.warp_scheduler");
  return all;
}

std::unique_ptr<WarpScheduler> make_warp_scheduler(const std::string& name, const WarpSchedulerSetup& setup) {
  return warp_schedulers().at(name).make(setup);
}

}  // namespace gputlm
