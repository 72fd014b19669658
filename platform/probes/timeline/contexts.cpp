/// The execution engine: whose slice it was, and how long it took to come and to leave.
#include "models/work_distributor/work_distributor.h"
#include "platform/probes/timeline/part.h"

namespace gputlm {
namespace {

class ContextTracks final : public TrackPart {
 public:
  void attach(ProbeSite& site, TraceEvents& events) override {
    begin(site, events, "execution engine",
          [this](unsigned application) { return workload_->applications[application].name; });
    for (WorkDistributor* const distributor : site.units<WorkDistributor>("work distributor")) {
      site.watch(*distributor, distributor->core().slices(),
                 [this, source = events.add_source()](const SliceEnded& slice) { add(slice, source); });
    }
  }

 private:
  void add(const SliceEnded& s, std::uint32_t source) {
    const TraceEvents::Key key{clock_.edge(s.known), source};
    const TraceEvents::Track track = tracks_->at(key, s.application);
    events_->slice(key, track, json_escaped(workload_->applications[s.application].name), clock_.edge(s.come),
                   clock_.edge(s.off),
                   events_->args(R"("ended_by":"{}","resumed_blocks":{},"restored_bytes":{},"preempted_blocks":{},)"
                                 R"("saved_bytes":{})",
                                 s.by_time ? "time" : "no work", s.resumed_blocks, s.restored_bytes, s.preempted_blocks,
                                 s.saved_bytes));
    if (s.come < s.start) events_->slice(key, track, "comes", clock_.edge(s.come), clock_.edge(s.start));
    if (s.end < s.off) events_->slice(key, track, "leaves", clock_.edge(s.end), clock_.edge(s.off));
  }
};

GPUTLM_REGISTER { add_timeline_part<ContextTracks>("contexts", "slices of the execution engine", 40); }

}  // namespace
}  // namespace gputlm
