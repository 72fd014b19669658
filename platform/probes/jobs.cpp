/// Every job of a task as a line of jobs.csv, in the order in which the host hears of their ends.
#include "models/host/host.h"
#include "platform/probes/records.h"
#include "platform/probes/row_file.h"

namespace gputlm {
namespace {

class Jobs final : public Probe {
 public:
  void attach(ProbeSite& site) override {
    Host& host = *site.units<Host>("host").front();
    csv_.open(site, "jobs.csv");
    site.watch(host, host.core().jobs_ended,
               [this, &workload = site.workload(), clock = site.clock](const JobEnded& ended) {
                 csv_.write({ended, workload, clock});
               });
  }

 private:
  RowFile<JobRow> csv_;
};

GPUTLM_REGISTER {
  add_probe<Jobs>("jobs", "jobs.csv: every job of a task, its response time and deadline", 16,
                  [](const Workload& w) { return !w.tasks.empty(); });
  add_row_table<JobRow>("jobs.csv",
                        "Jobs of tasks that have ended, in the order in which the host heard of the ends; only if the "
                        "workload has tasks");
}

}  // namespace
}  // namespace gputlm
