/// Jobs of tasks, with their releases and deadlines. Those that overlap have tracks of their own.
#include "models/host/host.h"
#include "platform/probes/records.h"
#include "platform/probes/timeline/part.h"

namespace gputlm {
namespace {

class JobTracks final : public TrackPart {
 public:
  void attach(ProbeSite& site, TraceEvents& events) override {
    begin(site, events, "jobs", [this](unsigned track) { return track_names_[track]; });
    lanes_.resize(workload_->tasks.size());
    Host& host = *site.units<Host>("host").front();
    site.watch(host, host.core().jobs_ended,
               [this, source = events.add_source()](const JobEnded& job) { add(job, source); });
  }

 private:
  struct Lane {
    std::size_t track;
    Cycle until;
  };

  void add(const JobEnded& ended, std::uint32_t source) {
    const std::uint32_t task_number = workload_->jobs[ended.job].task;
    const TaskSpec& task = workload_->tasks[task_number];
    const TraceEvents::Key key{clock_.edge(ended.notified), source};
    const TraceEvents::Track track = tracks_->at(key, lane(task_number, ended));
    const Femtoseconds released = clock_.edge(ended.released);
    events_->instant(key, track, "release", released);
    std::string_view met;
    if (const auto is = JobRow{ended, *workload_, clock_}.response().met())
      met = events_->args(R"("deadline_met":{})", *is);
    events_->slice(key, track, json_escaped(job_label(*workload_, ended.job, ended.iteration)), released, key.at, met);
    if (task.deadline) events_->instant(key, track, "deadline", later(released, *task.deadline));
  }
  /// The track of the task that has been free since before the job's release.
  std::size_t lane(std::uint32_t task, const JobEnded& ended) {
    for (Lane& lane : lanes_[task]) {
      if (lane.until > ended.released) continue;
      lane.until = ended.notified;
      return lane.track;
    }
    const std::size_t number = lanes_[task].size() + 1;
    lanes_[task].push_back({track_names_.size(), ended.notified});
    track_names_.push_back(workload_->tasks[task].name + (number > 1 ? " (" + std::to_string(number) + ")" : ""));
    return lanes_[task].back().track;
  }

  std::vector<std::vector<Lane>> lanes_;  ///< by task
  std::vector<std::string> track_names_;
};

GPUTLM_REGISTER { add_timeline_part<JobTracks>("jobs", "jobs of tasks, with releases and deadlines", 30); }

}  // namespace
}  // namespace gputlm
