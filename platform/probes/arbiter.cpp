/// What the arbiter of a DRAM channel was told and asked, as lines of arbiter.csv (docs/rtl.md).
#include "models/dram/controller.h"
#include "platform/probes/recordings.h"
#include "platform/probes/row_file.h"

namespace gputlm {
namespace {

constexpr const char* kArbiterFile = "arbiter.csv";

const EventNames& arbiter_events() {
  static const EventNames names{"arrives", "activates", "precharges", "opens", "closes", "serves"};
  return names;
}

struct ArbiterRow {
  const ArbiterEvent& event;

  template <class Visitor>
  static void describe(Visitor& v) {
    v.field([](const ArbiterRow& r) { return r.event.at; }, "cycle", Value{"command cycles"}, "It happened");
    v.field(
        [](const ArbiterRow& r) { return name_of(arbiter_events(), r.event.kind); }, "event", Value{},
        "`arrives`: a burst enters the queue; `activates`, `precharges`, `serves`: the answer for its bank was this "
        "request, and the command for it is issued; `opens`, `closes`: a row command for no request of this queue");
    v.field([](const ArbiterRow& r) { return r.event.bank; }, "bank", Value{}, "Of the channel");
    v.field([](const ArbiterRow& r) { return r.event.row; }, "row", Value{}, "Of the request; 0 if it `closes`");
    v.field([](const ArbiterRow& r) { return r.event.application; }, "application", Value{},
            "Whose request, by number");
  }
};

class RecordsArbiter final : public Probe {
 public:
  explicit RecordsArbiter(const std::string& value) : value_("arbiter", value, "CHANNEL") {}

  void attach(ProbeSite& site) override {
    const auto channels = site.units<DramController>("DRAM controller");
    value_.check(channels.size());
    csv_.open(site, kArbiterFile);
    DramController& channel = *channels[value_.unit];
    site.watch(channel, channel.core().arbiter, [this](const ArbiterEvent& event) { note(event); });
  }

 private:
  void note(const ArbiterEvent& event) {
    if (event.queue != 0 || served_ == value_.decisions) return;
    if (event.kind == ArbiterEvent::Kind::kServes) ++served_;
    csv_.write({event});
  }

  RecordingValue value_;
  std::uint64_t served_ = 0;
  RowFile<ArbiterRow> csv_;
};

std::vector<ArbiterEvent> read_arbiter_recording(const RecordedRun& run) {
  return read_recording<ArbiterEvent>(
      run, kArbiterFile, "arbiter", arbiter_events(), [](CsvReader& csv, ArbiterEvent& event) {
        event.bank = static_cast<std::uint32_t>(csv.number(csv.column("bank")));
        event.row = csv.number(csv.column("row"));
        event.application = static_cast<ApplicationId>(csv.number(csv.column("application")));
      });
}

GPUTLM_REGISTER {
  add_probe<RecordsArbiter>("arbiter",
                            "arbiter.csv: what the scheduler of a DRAM channel decides, to be played on hardware", 31);
  add_row_table<ArbiterRow>(kArbiterFile, "What a memory arbiter was told and asked; `--probe arbiter`");
  add_recording("arbiter", read_arbiter_recording);
}

}  // namespace
}  // namespace gputlm
