/// Every job of a task as a line of jobs.csv, in the order in which the host hears of their ends (docs/result.md).
#include <fmt/format.h>

#include <iterator>

#include "models/host/host.h"
#include "platform/files/csv.h"
#include "platform/probes/probe.h"

namespace gputlm {
namespace {

class Jobs final : public Probe {
 public:
  void attach(ProbeSite& site) override {
    Host& host = *site.units<Host>("host").front();
    workload_ = &site.workload();
    clock_ = site.clock;
    csv_ = &site.file("jobs.csv");
    csv_->write("job,task,application,release_cycle,notified_cycle,response_cycles,deadline_cycles,deadline_met\n");
    site.watch(host, host.core().jobs_ended, [this](const JobEnded& ended) { write(ended); });
  }

 private:
  void write(const JobEnded& ended) {
    const TaskSpec& task = workload_->tasks[workload_->jobs[ended.job].task];
    line_.clear();
    write_csv_field(line_, job_label(*workload_, ended.job, ended.iteration));
    line_.push_back(',');
    write_csv_field(line_, task.name);
    line_.push_back(',');
    write_csv_field(line_, workload_->applications[task.application].name);
    const Cycle response = ended.notified - ended.released;
    fmt::format_to(std::back_inserter(line_), ",{},{},{},", ended.released, ended.notified, response);
    if (task.deadline) {
      const Cycle deadline = clock_.at_or_before(*task.deadline);
      fmt::format_to(std::back_inserter(line_), "{},{}\n", deadline, response <= deadline);
    } else {
      fmt::format_to(std::back_inserter(line_), ",\n");
    }
    csv_->write({line_.data(), line_.size()});
  }

  const Workload* workload_ = nullptr;
  Clock clock_{1};
  AtomicFile* csv_ = nullptr;
  fmt::memory_buffer line_;
};

GPUTLM_REGISTER {
  add_probe<Jobs>("jobs", "jobs.csv: every job of a task, its response time and deadline", 16,
                  [](const Workload& w) { return !w.tasks.empty(); });
}

}  // namespace
}  // namespace gputlm
