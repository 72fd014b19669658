/// SMs: blocks in their slots, and if asked for, warps in theirs. What was taken off for another application's turn has
/// gaps.
#include <fmt/format.h>

#include "models/sm/sm.h"
#include "platform/probes/timeline/part.h"

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
  std::vector<std::optional<Event>> resident_;  ///< by slot
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
}  // namespace gputlm
