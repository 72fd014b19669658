/// Host threads and their calls.
#include "models/host/host.h"
#include "platform/probes/records.h"
#include "platform/probes/timeline/timeline.h"

namespace gputlm {
namespace {

class HostTracks final : public TrackPart {
 public:
  void attach(ProbeSite& site, TraceEvents& events) override {
    begin(site, events, "host", [this](unsigned thread) {
      return workload_->applications[threads_[thread].application].name + ": " + threads_[thread].name;
    });
    threads_ = host_threads(*workload_);
    Host& host = *site.units<Host>("host").front();
    site.watch(host, host.core().calls_made,
               [this, source = events.add_source()](const CallMade& call) { add(call, source); });
  }

 private:
  void add(const CallMade& made, std::uint32_t source) {
    const TraceEvents::Key key{clock_.edge(made.end), source};
    const HostCall& call = threads_[made.thread].calls[made.call];
    const bool launch = call.kind == HostCall::Kind::kLaunch;
    events_->slice(key, tracks_->at(key, made.thread), json_escaped(name(call, made.iteration)),
                   clock_.edge(made.begin), key.at, call.line ? events_->args(R"("line":{})", call.line) : "",
                   {launch ? flow_of(*workload_, call.what, made.iteration) : 0, false, true});
  }
  std::string name(const HostCall& call, std::uint32_t iteration) const {
    using Kind = HostCall::Kind;
    switch (call.kind) {
      case Kind::kLaunch: return "launch " + launch_label(*workload_, call.what, iteration);
      case Kind::kCopy: return "copy " + copy_label(*workload_, call.what, iteration);
      case Kind::kRecordEvent: return "record event " + workload_->events[call.what].name;
      case Kind::kWaitEvent: return "wait for event " + workload_->events[call.what].name;
      case Kind::kReleaseJob: return "release of " + job_label(*workload_, call.what, iteration);
      case Kind::kHostFunction: return "host function";
      case Kind::kSynchronizeStream: return "synchronize stream " + workload_->streams[call.stream].name;
      case Kind::kSynchronizeDevice: return "synchronize device";
      case Kind::kSynchronizeEvent: return "synchronize " + workload_->events[call.what].name;
      case Kind::kBarrier: return "barrier";
      case Kind::kWaitUntil: return "wait for the release";
      case Kind::kLoop: return "loop";
      case Kind::kRepeat: return "end of iteration " + std::to_string(iteration + 1);
    }
    return "";
  }

  std::vector<ThreadSpec> threads_;
};

GPUTLM_REGISTER { add_timeline_part<HostTracks>("host", "calls of host threads", 10); }

}  // namespace

// Jobs of tasks, with their releases and deadlines. Overlapping jobs get separate tracks.

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
  /// A track of the task that has been free since before the job's release, or a new track.
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

  std::vector<std::vector<Lane>> lanes_;  ///< tracks of each task
  std::vector<std::string> track_names_;
};

GPUTLM_REGISTER { add_timeline_part<JobTracks>("jobs", "jobs of tasks, with releases and deadlines", 30); }

}  // namespace

// Streams: launches and copies from their submission until the host notices their end, with the reasons for waiting.

namespace {

class StreamTracks final : public TrackPart {
 public:
  void attach(ProbeSite& site, TraceEvents& events) override {
    begin(site, events, "streams", [this](unsigned stream) {
      const StreamSpec& spec = workload_->streams[stream];
      return workload_->applications[spec.application].name + ": " + spec.name;
    });
    names_.emplace(*workload_);
    under_way_.resize(workload_->streams.size());
    Host& host = *site.units<Host>("host").front();
    const std::uint32_t source = events.add_source();
    site.watch(host, host.core().stream_steps, [this](const StreamStep& step) {
      if (step.step == StreamStep::Step::kSubmitted) under_way_[step.stream] = step;
      if (step.step == StreamStep::Step::kEnded) under_way_[step.stream].reset();
    });
    site.watch(host, host.core().kernels_ended, [this, source](const KernelEnded& ended) { add(ended, source); });
    site.watch(host, host.core().copies_ended, [this, source](const CopyEnded& ended) { add(ended, source); });
  }

  void finish(TraceEvents::Key end) override {
    for (const auto& step : under_way_) {
      if (!step) continue;
      const std::string label = step->copy ? json_escaped(copy_label(*workload_, step->command, step->iteration))
                                           : names_->of(step->command, step->iteration);
      events_->slice(end, tracks_->at(end, step->stream), label, clock_.edge(step->at), end.at, R"("unfinished":true)");
    }
  }

 private:
  void add(const KernelEnded& ended, std::uint32_t source) {
    const KernelLaunch& k = ended.kernel;
    const Kernel& kernel = *k.kernel;
    const TraceEvents::Key key{clock_.edge(ended.notified), source};
    const TraceEvents::Track track = tracks_->at(key, k.identity.stream);
    events_->slice(key, track, names_->of(k.command, k.iteration), clock_.edge(k.submitted), key.at,
                   events_->args(R"("grid":"{}x{}x{}","block":"{}x{}x{}","priority":{},"instructions":{})",
                                 kernel.grid.x, kernel.grid.y, kernel.grid.z, kernel.block.x, kernel.block.y,
                                 kernel.block.z, k.priority, k.counters.instructions),
                   {flow_of(*workload_, k.command, k.iteration), true, true});
    events_->slice(key, track, "queued", clock_.edge(k.submitted), clock_.edge(k.first_block));
    events_->slice(key, track, "running", clock_.edge(k.first_block), clock_.edge(k.end));
  }
  void add(const CopyEnded& ended, std::uint32_t source) {
    const Copy& c = ended.copy;
    const TraceEvents::Key key{clock_.edge(ended.notified), source};
    const TraceEvents::Track track = tracks_->at(key, c.identity.stream);
    events_->slice(key, track, json_escaped(copy_label(*workload_, c.command, c.iteration)), clock_.edge(c.submitted),
                   key.at, events_->args(R"("kind":"{}","bytes":{})", to_string(c.kind), c.bytes));
    events_->slice(key, track, "queued", clock_.edge(c.submitted), clock_.edge(c.started));
    events_->slice(key, track, "copying", clock_.edge(c.started), clock_.edge(c.ended));
  }

  std::optional<LaunchNames> names_;
  std::vector<std::optional<StreamStep>> under_way_;  ///< current step of each stream
};

GPUTLM_REGISTER { add_timeline_part<StreamTracks>("streams", "launches and copies of streams", 20); }

}  // namespace

}  // namespace gputlm
