/// Writes kernel launches, copies and jobs that have ended to kernels.csv, copies.csv and jobs.csv, in the order in which the
/// host notices their ends.
#include "models/host/host.h"
#include "platform/probes/records.h"
#include "platform/probes/row_file.h"

namespace gputlm {
namespace {

KernelRow row_of(const KernelRecord& record, const Workload& workload, const Clock& clock) {
  return {record, workload, clock};
}
CopyRow row_of(const CopyRecord& record, const Workload& workload, const Clock&) { return {record, workload}; }
JobRow row_of(const JobEnded& record, const Workload& workload, const Clock& clock) {
  return {record, workload, clock};
}
const JobEnded& record_of(const JobEnded& ended) { return ended; }

/// One line per event of a tap of the host.
template <class Row, auto tap, const char* file>
class EndsFile final : public Probe {
 public:
  void attach(ProbeSite& site) override {
    Host& host = *site.units<Host>("host").front();
    csv_.open(site, file);
    site.watch(host, host.core().*tap, [this, &workload = site.workload(), clock = site.clock](const auto& ended) {
      csv_.write(row_of(record_of(ended), workload, clock));
    });
  }

 private:
  RowFile<Row> csv_;
};

constexpr char kKernels[] = "kernels.csv", kCopies[] = "copies.csv", kJobs[] = "jobs.csv";

GPUTLM_REGISTER {
  add_probe<EndsFile<KernelRow, &HostCore::kernels_ended, kKernels>>(
      "kernels", "kernels.csv: every kernel launch, its times, resources and deadline", 12,
      [](const Workload&) { return true; });
  add_row_table<KernelRow>(kKernels,
                           "Kernel launches that have ended, in the order in which the host noticed the ends. "
                           "`kernels` of result.json has the same of each, and its counters, in the order of `id`");
  add_probe<EndsFile<CopyRow, &HostCore::copies_ended, kCopies>>(
      "copies", "copies.csv: every copy and memset, when and by which engine", 15,
      [](const Workload& w) { return !w.copies.empty(); });
  add_row_table<CopyRow>(kCopies,
                         "Copies and memsets that have ended, in the order in which the host noticed the ends; only if "
                         "the workload has any. `copies` of result.json has the same");
  add_probe<EndsFile<JobRow, &HostCore::jobs_ended, kJobs>>(
      "jobs", "jobs.csv: every job of a task, its response time and deadline", 16,
      [](const Workload& w) { return !w.tasks.empty(); });
  add_row_table<JobRow>(
      kJobs,
      "Jobs of tasks that have ended, in the order in which the host noticed the ends; only if the workload has tasks");
}

}  // namespace
}  // namespace gputlm
