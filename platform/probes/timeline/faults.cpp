/// Batches of far faults, as the host handles them.
#include "models/mmu/mmu.h"
#include "platform/probes/timeline/part.h"

namespace gputlm {
namespace {

class FaultTracks final : public TrackPart {
 public:
  void attach(ProbeSite& site, TraceEvents& events) override {
    begin(site, events, "MMU", [](unsigned) { return "fault batches"; });
    for (Mmu* const mmu : site.find<Mmu>()) {
      FaultHandler* const handler = mmu->core().faults();
      if (!handler) continue;
      site.watch(*mmu, handler->batches,
                 [this, source = events.add_source()](const FaultBatch& batch) { add(batch, source); });
    }
  }

 private:
  void add(const FaultBatch& b, std::uint32_t source) {
    const TraceEvents::Key key{clock_.edge(b.end), source};
    const TraceEvents::Track track = tracks_->at(key, 0);
    events_->slice(key, track, "batch", clock_.edge(b.interrupted), key.at,
                   events_->args(R"("number":{},"faults":{},"prefetched_pages":{},"evicted_blocks":{},)"
                                 R"("migrated_in_bytes":{},"migrated_out_bytes":{})",
                                 b.number, b.faults, b.prefetched, b.evicted, b.moved_in, b.moved_out));
    events_->slice(key, track, "interrupt", clock_.edge(b.interrupted), clock_.edge(b.read));
    events_->slice(key, track, "host", clock_.edge(b.read), clock_.edge(b.planned));
    events_->slice(key, track, "migration", clock_.edge(b.planned), key.at);
  }
};

GPUTLM_REGISTER { add_timeline_part<FaultTracks>("faults", "batches of far faults", 60); }

}  // namespace
}  // namespace gputlm
