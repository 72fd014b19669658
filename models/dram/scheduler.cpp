#include "models/dram/scheduler.h"

namespace gputlm {

RequestSchedulerDecision& request_schedulers() {
  static RequestSchedulerDecision all("memory request", 5, "dram.scheduler");
  return all;
}

RequestSchedulers make_request_schedulers(const std::string& name, const SchedulerSetup& setup) {
  return request_schedulers().at(name).make(setup);
}

}  // namespace gputlm
