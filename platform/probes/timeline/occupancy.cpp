/// Charts over time, by application: what is resident, what waits, what is under way.
#include "models/host/host.h"
#include "models/sm/sm.h"
#include "platform/probes/timeline/part.h"

namespace gputlm {
namespace {

class OccupancyCharts final : public TimelinePart {
 public:
  void attach(ProbeSite& site, TraceEvents& events) override {
    workload_ = &site.workload();
    clock_ = site.clock;
    events_ = &events;
    std::vector<std::string> applications;
    for (const ApplicationSpec& application : workload_->applications) applications.push_back(application.name);
    const unsigned process = events.add_process("GPU");
    const bool blocks = has_few_blocks(*workload_);
    if (blocks) {
      blocks_ = events.add_counter(process, "resident blocks", applications);
      threads_ = events.add_counter(process, "resident threads", applications);
    }
    waiting_ = events.add_counter(process, "launches waiting in streams", applications);
    launches_ = events.add_counter(process, "launches under way", applications);
    if (!workload_->copies.empty()) copies_ = events.add_counter(process, "copies under way", applications);
    for (Sm* const sm : blocks ? site.units<Sm>("SM") : std::vector<Sm*>()) {
      site.watch(*sm, sm->core().blocks,
                 [this, source = events.add_source()](const BlockOnSm& block) { add(block, source); });
    }
    Host& host = *site.units<Host>("host").front();
    site.watch(host, host.core().stream_steps,
               [this, source = events.add_source()](const StreamStep& step) { add(step, source); });
  }

 private:
  void add(const BlockOnSm& block, std::uint32_t source) {
    const TraceEvents::Key key{clock_.edge(block.at), source};
    const int sign = block.comes() ? 1 : -1;
    const auto threads = static_cast<int>(workload_->launches[block.command].kernel->threads_per_block());
    events_->count(key, blocks_, block.identity.application, sign);
    events_->count(key, threads_, block.identity.application, sign * threads);
  }
  void add(const StreamStep& step, std::uint32_t source) {
    const TraceEvents::Key key{clock_.edge(step.at), source};
    const ApplicationId application = workload_->streams[step.stream].application;
    using Step = StreamStep::Step;
    if (!step.copy && step.step != Step::kEnded) {
      events_->count(key, waiting_, application, step.step == Step::kIssued ? 1 : -1);
    }
    if (step.step != Step::kIssued) {
      events_->count(key, step.copy ? copies_ : launches_, application, step.step == Step::kSubmitted ? 1 : -1);
    }
  }

  const Workload* workload_ = nullptr;
  Clock clock_{1};
  TraceEvents* events_ = nullptr;
  unsigned blocks_ = 0, threads_ = 0, waiting_ = 0, launches_ = 0, copies_ = 0;  ///< counters
};

GPUTLM_REGISTER { add_timeline_part<OccupancyCharts>("occupancy", "resident blocks and threads, queues", 70); }

}  // namespace
}  // namespace gputlm
