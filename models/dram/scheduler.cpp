#include "models/dram/scheduler.h"

namespace gputlm {

const std::vector<Policy<RequestSchedulers (*)(const SchedulerSetup&)>>& request_schedulers() {
  static const std::vector<Policy<RequestSchedulers (*)(const SchedulerSetup&)>> kTable{
      {"fcfs", "First come, first served: the oldest request of the bank", "fr-rr-fcfs, section 2", make_fcfs},
      {"fr_fcfs", "First ready: the oldest request to the open row, else the oldest of the bank",
       "fr-rr-fcfs, section 2", make_fr_fcfs},
      {"fr_rr_fcfs", "First ready, else the applications take turns at the bank, each with its oldest request",
       "fr-rr-fcfs, section 4.1", make_fr_rr_fcfs},
#ifdef GPUTLM_RTL
      {"fr_fcfs@rtl", "fr_fcfs, decided by rtl/fr_fcfs_arbiter.sv", "fr-rr-fcfs, section 2", make_fr_fcfs_rtl},
      {"fr_rr_fcfs@rtl", "fr_rr_fcfs, decided by rtl/fr_rr_fcfs_arbiter.sv", "fr-rr-fcfs, section 4.2",
       make_fr_rr_fcfs_rtl},
#endif
  };
  return kTable;
}

RequestSchedulers make_request_schedulers(const std::string& name, const SchedulerSetup& setup) {
  return find_policy(request_schedulers(), "dram.scheduler", name).make(setup);
}

}  // namespace gputlm
