#include "models/dram/scheduler.h"

#include "tlm/error.h"

namespace gputlm {

const std::vector<RequestSchedulerInfo>& request_schedulers() {
  static const std::vector<RequestSchedulerInfo> kSchedulers = {
      {"fcfs", "first come, first served: the oldest request of the bank", make_fcfs},
      {"fr_fcfs", "first ready: the oldest request to the open row, else the oldest of the bank", make_fr_fcfs},
  };
  return kSchedulers;
}

std::unique_ptr<RequestScheduler> make_request_scheduler(const std::string& name) {
  std::string allowed;
  for (const auto& scheduler : request_schedulers()) {
    if (scheduler.name == name) return scheduler.make();
    allowed += (allowed.empty() ? "" : ", ") + scheduler.name;
  }
  throw InputError("dram.scheduler: found '" + name + "', allowed are " + allowed);
}

}  // namespace gputlm
