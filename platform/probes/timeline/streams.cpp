/// Streams: launches and copies from the host's submission until it knows of their end, with what they waited for.
#include "models/host/host.h"
#include "platform/probes/timeline/part.h"

namespace gputlm {
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
  std::vector<std::optional<StreamStep>> under_way_;  ///< by stream
};

GPUTLM_REGISTER { add_timeline_part<StreamTracks>("streams", "launches and copies of streams", 20); }

}  // namespace
}  // namespace gputlm
