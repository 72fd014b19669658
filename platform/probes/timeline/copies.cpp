/// Copy engines and what they move, the MMU's driver's copies of pages too.
#include "models/copy_engine/copy_engine.h"
#include "platform/probes/timeline/part.h"

namespace gputlm {
namespace {

class CopyTracks final : public TrackPart {
 public:
  void attach(ProbeSite& site, TraceEvents& events) override {
    const auto all = site.find<CopyEngines>();
    begin(site, events, "copy engines", [all](unsigned engine) { return all.front()->core().engine_name(engine); });
    for (CopyEngines* const engines : all) {
      site.watch(*engines, engines->core().copies_moved,
                 [this, source = events.add_source()](const CopyMoved& moved) { add(moved, source); });
    }
  }

 private:
  void add(const CopyMoved& moved, std::uint32_t source) {
    const Copy& c = moved.copy;
    const TraceEvents::Key key{clock_.edge(c.ended), source};
    const bool host = !workload_->copies.empty() && moved.client == 0;  // it is the first, if it copies
    const std::string name = host ? json_escaped(copy_label(*workload_, c.command, c.iteration))
                             : c.kind == CopyKind::kDeviceToHost ? "pages to the host"
                                                                 : "pages to the GPU";
    events_->slice(key, tracks_->at(key, c.engine), name, clock_.edge(c.started), key.at,
                   events_->args(R"("kind":"{}","bytes":{})", to_string(c.kind), c.bytes));
  }
};

GPUTLM_REGISTER { add_timeline_part<CopyTracks>("copies", "copy engines", 50); }

}  // namespace
}  // namespace gputlm
