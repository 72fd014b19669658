/// What the arbiter at an output of the crossbar was told and asked, as lines of flit_arbiter.csv (docs/rtl.md).
#include "models/noc/crossbar.h"
#include "platform/probes/recordings.h"
#include "platform/probes/row_file.h"

namespace gputlm {
namespace {

constexpr const char* kFlitArbiterFile = "flit_arbiter.csv";

const EventNames& flit_arbiter_events() {
  static const EventNames names{"arrives", "leaves"};
  return names;
}

struct FlitArbiterRow {
  const FlitArbiterEvent& event;

  template <class Visitor>
  static void describe(Visitor& v) {
    v.field([](const FlitArbiterRow& r) { return r.event.at; }, "cycle", Value{"core cycles"}, "It happened");
    v.field(
        [](const FlitArbiterRow& r) { return name_of(flit_arbiter_events(), r.event.kind); }, "event", Value{},
        "`arrives`: a packet for the output becomes the first one of its input; `leaves`: the answer was this input, "
        "and its first packet leaves");
    v.field([](const FlitArbiterRow& r) { return r.event.input; }, "input", Value{}, "Of the switch, by number");
    v.field([](const FlitArbiterRow& r) { return static_cast<unsigned>(r.event.head.application); }, "application",
            Value{}, "Whose packet, by number modulo 8");
    v.field([](const FlitArbiterRow& r) { return r.event.head.flits; }, "flits", Value{"flits"}, "Of the packet");
    v.field([](const FlitArbiterRow& r) { return r.event.head.issued; }, "issued_cycle", Value{"core cycles"},
            "When a unit has issued the access, from which its age counts");
    v.field([](const FlitArbiterRow& r) { return r.event.inputs; }, "inputs", Value{}, "That the switch has");
  }
};

class RecordsFlitArbiter final : public Probe {
 public:
  explicit RecordsFlitArbiter(const std::string& value) : value_("flit_arbiter", value, "OUTPUT") {}

  void attach(ProbeSite& site) override {
    // Outputs are numbered through all crossbars.
    const auto crossbars = site.units<Crossbar>("crossbar");
    std::size_t outputs = 0;
    for (const Crossbar* const crossbar : crossbars) outputs += crossbar->outputs();
    value_.check(outputs);
    csv_.open(site, kFlitArbiterFile);
    auto output = static_cast<unsigned>(value_.unit);
    auto crossbar = crossbars.begin();
    for (; output >= (*crossbar)->outputs(); ++crossbar) output -= (*crossbar)->outputs();
    site.watch(**crossbar, (*crossbar)->record(output), [this](const FlitArbiterEvent& event) { note(event); });
  }

 private:
  void note(const FlitArbiterEvent& event) {
    if (left_ == value_.decisions) return;
    if (event.kind == FlitArbiterEvent::Kind::kLeaves) ++left_;
    csv_.write({event});
  }

  RecordingValue value_;
  std::uint64_t left_ = 0;
  RowFile<FlitArbiterRow> csv_;
};

std::vector<FlitArbiterEvent> read_flit_arbiter_recording(const RecordedRun& run) {
  return read_recording<FlitArbiterEvent>(
      run, kFlitArbiterFile, "flit_arbiter", flit_arbiter_events(), [](CsvReader& csv, FlitArbiterEvent& event) {
        const auto number = [&csv](const char* column, std::uint64_t least, std::uint64_t most) {
          const std::uint64_t found = csv.number(csv.column(column));
          if (found < least || found > most) csv.fail(fmt::format("{}: allowed is {} to {}", column, least, most));
          return found;
        };
        event.inputs = static_cast<std::uint16_t>(number("inputs", 1, kMaxSwitchInputs));
        event.input = static_cast<std::uint16_t>(number("input", 0, event.inputs - 1u));
        event.head.application = static_cast<std::uint8_t>(number("application", 0, kArbitratedApplications - 1));
        event.head.flits = static_cast<std::uint16_t>(number("flits", 1, 0xffff));
        event.head.issued = number("issued_cycle", 0, event.at);
      });
}

GPUTLM_REGISTER {
  add_probe<RecordsFlitArbiter>(
      "flit_arbiter", "flit_arbiter.csv: which packet leaves an output of the crossbar, to be played on hardware", 35);
  add_row_table<FlitArbiterRow>(kFlitArbiterFile,
                                "What an arbiter of the crossbar was told and asked; "
                                "`--probe flit_arbiter`");
  add_recording("flit_arbiter", read_flit_arbiter_recording);
}

}  // namespace
}  // namespace gputlm
