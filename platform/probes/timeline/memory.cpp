/// The memory, on request: L2 slices with the requests that they serve, DRAM banks with their open rows and commands.
#include <fmt/format.h>

#include "models/copy_engine/copy_engine.h"
#include "models/dram/controller.h"
#include "models/l2/slice.h"
#include "models/mmu/mmu.h"
#include "platform/probes/timeline/timeline.h"

namespace gputlm {
namespace {

class L2Tracks final : public TrackPart {
 public:
  void attach(ProbeSite& site, TraceEvents& events) override {
    begin(site, events, "L2", [](unsigned slice) { return fmt::format("slice {}", slice); });
    for (const ApplicationSpec& application : workload_->applications) {
      applications_.push_back(json_escaped(application.name));
    }
    const auto slices = site.units<L2Slice>("L2 slice");
    for (std::size_t i = 0; i < slices.size(); ++i) {
      site.watch(*slices[i], slices[i]->core().served,
                 [this, i, clock = slices[i]->clock(), source = events.add_source()](const L2Served& served) {
                   add(i, clock, served, source);
                 });
    }
  }

 private:
  void add(std::size_t slice, const Clock& clock, const L2Served& s, std::uint32_t source) {
    const TraceEvents::Key key{clock.edge(s.at), source};
    static constexpr const char* kNames[][2] = {
        {"read miss", "read hit"}, {"write miss", "write hit"}, {"atomic miss", "atomic hit"}};
    events_->slice(key, tracks_->at(key, slice),
                   kNames[s.atomic  ? 2
                          : s.write ? 1
                                    : 0][s.hit],
                   key.at, clock.edge(s.at + 1),
                   events_->args(R"("application":"{}","sm":{},"address":"{:#x}")",
                                 applications_[s.identity.application], s.identity.sm, s.address));
  }

  std::vector<std::string> applications_;
};

/// Tracks of one channel: one per bank, and one for commands to all banks.
class ChannelTracks {
 public:
  ChannelTracks(TraceEvents& events, const DramController& controller, std::size_t channel)
      : events_(events), clock_(controller.clock()), refresh_(controller.core().refresh_cycles()),
        banks_(controller.core().banks()), source_(events.add_source()),
        tracks_(events, fmt::format("DRAM channel {}", channel), [this](unsigned track) {
          return track < banks_.size() ? fmt::format("bank {}", track) : std::string("all banks");
        }) {}

  void add(const IssuedCommand& c) {
    const TraceEvents::Key key{clock_.edge(c.at), source_};
    switch (c.command) {
      case Command::kActivate: banks_[c.bank] = {c.row, c.at}; break;
      case Command::kPrecharge: close(c.bank, key); break;
      case Command::kRead: column("read", c, key); break;
      case Command::kWrite: column("write", c, key); break;
      case Command::kRefresh:
        for (unsigned bank = 0; bank < banks_.size(); ++bank) close(bank, key);
        events_.slice(key, tracks_.at(key, banks_.size()), "refresh", key.at, clock_.edge(c.at + refresh_));
        break;
    }
  }
  void finish(TraceEvents::Key end) {
    for (unsigned bank = 0; bank < banks_.size(); ++bank) close(bank, end);
  }

 private:
  struct Bank {
    Row row = kNoRow;
    Cycle since = 0;
  };
  void column(const char* name, const IssuedCommand& c, TraceEvents::Key key) {
    events_.slice(key, tracks_.at(key, c.bank), name, key.at, clock_.edge(c.at + 1));
  }
  void close(unsigned number, TraceEvents::Key key) {
    Bank& bank = banks_[number];
    if (bank.row == kNoRow) return;
    events_.slice(key, tracks_.at(key, number), "row open", clock_.edge(bank.since), key.at,
                  events_.args(R"("row":{})", bank.row));
    bank.row = kNoRow;
  }

  TraceEvents& events_;
  Clock clock_;  ///< clock of the commands
  Cycle refresh_;
  std::vector<Bank> banks_;
  std::uint32_t source_;
  LazyTracks tracks_;
};

class DramTracks final : public TimelinePart {
 public:
  void attach(ProbeSite& site, TraceEvents& events) override {
    const auto channels = site.units<DramController>("DRAM controller");
    for (std::size_t i = 0; i < channels.size(); ++i) {
      ChannelTracks& tracks = *channels_.emplace_back(std::make_unique<ChannelTracks>(events, *channels[i], i));
      site.watch(*channels[i], channels[i]->core().commands, [&tracks](const IssuedCommand& c) { tracks.add(c); });
    }
  }
  void finish(TraceEvents::Key end) override {
    for (const auto& channel : channels_) channel->finish(end);
  }

 private:
  std::vector<std::unique_ptr<ChannelTracks>> channels_;
};

GPUTLM_REGISTER {
  add_timeline_part<L2Tracks>("l2", "requests that L2 slices serve", 100, true);
  add_timeline_part<DramTracks>("dram", "rows and commands of DRAM banks", 110, true);
}

}  // namespace

// Copy engines and the data that they move, including pages that the MMU's driver copies.

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
    const bool host = !workload_->copies.empty() && moved.client == 0;  // the host is the first client, if it copies
    const std::string name = host ? json_escaped(copy_label(*workload_, c.command, c.iteration))
                             : c.kind == CopyKind::kDeviceToHost ? "pages to the host"
                                                                 : "pages to the GPU";
    events_->slice(key, tracks_->at(key, c.engine), name, clock_.edge(c.started), key.at,
                   events_->args(R"("kind":"{}","bytes":{})", to_string(c.kind), c.bytes));
  }
};

GPUTLM_REGISTER { add_timeline_part<CopyTracks>("copies", "copy engines", 50); }

}  // namespace

// Batches of far faults that the host handles.

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
