#include "models/dram/scheduler.h"

namespace gputlm {

const std::vector<Policy<std::unique_ptr<RequestScheduler> (*)()>>& request_schedulers() {
  static const std::vector<Policy<std::unique_ptr<RequestScheduler> (*)()>> kTable{
      {"fcfs", "First come, first served: the oldest request of the bank", "fr-rr-fcfs, section 2", make_fcfs},
      {"fr_fcfs", "First ready: the oldest request to the open row, else the oldest of the bank",
       "fr-rr-fcfs, section 2", make_fr_fcfs},
  };
  return kTable;
}

std::unique_ptr<RequestScheduler> make_request_scheduler(const std::string& name) {
  return find_policy(request_schedulers(), "dram.scheduler", name).make();
}

}  // namespace gputlm
