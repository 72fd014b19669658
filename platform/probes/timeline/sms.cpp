/// SMs: blocks in their slots and, on request, warps in theirs. Preempted blocks and warps have gaps.
#include <fmt/format.h>

#include "models/host/host.h"
#include "models/sm/sm.h"
#include "models/work_distributor/work_distributor.h"
#include "platform/probes/timeline/timeline.h"

namespace gputlm {
namespace {

/// Blocks, or warps, of one SM.
template <class Event>
class SlotTracks {
 public:
  SlotTracks(TraceEvents& events, const Workload& workload, const Clock& clock, LaunchNames& names,
             const std::string& process, LazyTracks::Name track)
      : events_(events), workload_(workload), clock_(clock), names_(names), source_(events.add_source()),
        tracks_(events, process, std::move(track)) {}

  void add(const Event& event) {
    if (event.slot >= resident_.size()) resident_.resize(event.slot + 1u);
    std::optional<Event>& resident = resident_[event.slot];
    if (event.comes()) {
      resident = event;
      return;
    }
    const bool ended = event.event == BlockOnSm::Event::kEnded;
    leave(*resident, {clock_.edge(event.at), source_}, ended ? "" : R"(,"preempted":true)");
    resident.reset();
  }
  void finish(TraceEvents::Key end) {
    for (const std::optional<Event>& event : resident_) {
      if (event) leave(*event, end, R"(,"unfinished":true)");
    }
  }

 private:
  void leave(const Event& since, TraceEvents::Key key, std::string_view how) {
    const Identity& who = since.identity;
    constexpr bool kWarps = std::is_same_v<Event, WarpOnSm>;
    const std::string_view args = kWarps ? events_.args(R"("block":{},"warp":{}{})", who.block, who.warp, how)
                                         : events_.args(R"("block":{}{})", who.block, how);
    const bool first = !kWarps && who.block == 0 && since.event == BlockOnSm::Event::kStarted;
    events_.slice(key, tracks_.at(key, since.slot), names_.of(since.command, since.iteration), clock_.edge(since.at),
                  key.at, args, {first ? flow_of(workload_, since.command, since.iteration) : 0, true, false});
  }

  TraceEvents& events_;
  const Workload& workload_;
  Clock clock_;
  LaunchNames& names_;
  std::uint32_t source_;
  LazyTracks tracks_;
  std::vector<std::optional<Event>> resident_;  ///< resident block or warp of each slot
};

template <class Event>
class SmTracks : public TimelinePart {
 public:
  void attach(ProbeSite& site, TraceEvents& events) override {
    if (std::is_same_v<Event, BlockOnSm> && !has_few_blocks(site.workload())) return;
    names_.emplace(site.workload());
    const auto sms = site.units<Sm>("SM");
    sms_.reserve(sms.size());
    for (std::size_t i = 0; i < sms.size(); ++i) {
      SmModel& core = sms[i]->core();
      const std::string name = fmt::format("SM {}", i);
      if constexpr (std::is_same_v<Event, WarpOnSm>) {
        const unsigned slots = core.slots_of_sub_core();
        sms_.emplace_back(events, site.workload(), site.clock, *names_, name + ", warps", [slots](unsigned slot) {
          return fmt::format("sub-core {}, slot {}", slot / slots, slot % slots);
        });
        site.watch(*sms[i], core.warps, [this, i](const Event& event) { sms_[i].add(event); });
      } else {
        sms_.emplace_back(events, site.workload(), site.clock, *names_, name,
                          [](unsigned slot) { return fmt::format("slot {}", slot); });
        site.watch(*sms[i], core.blocks, [this, i](const Event& event) { sms_[i].add(event); });
      }
    }
  }
  void finish(TraceEvents::Key end) override {
    for (SlotTracks<Event>& sm : sms_) sm.finish(end);
  }

 private:
  std::optional<LaunchNames> names_;
  std::vector<SlotTracks<Event>> sms_;
};

GPUTLM_REGISTER {
  add_timeline_part<SmTracks<BlockOnSm>>("sms", "blocks on SMs", 80);
  add_timeline_part<SmTracks<WarpOnSm>>("warps", "warps on SMs", 90, true);
}

}  // namespace

// The execution engine: the application of each slice, and the time for restoring and saving its state.

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

// Charts over time, by application: resident, waiting and active work.

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
