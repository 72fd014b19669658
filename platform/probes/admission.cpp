/// What the admission of a DRAM channel was told and asked, as lines of admission.csv (docs/rtl.md).
#include "models/dram/controller.h"
#include "platform/probes/recordings.h"
#include "platform/probes/row_file.h"
#include "tlm/numbers.h"

namespace gputlm {
namespace {

constexpr const char* kAdmissionFile = "admission.csv";

const EventNames& admission_events() {
  static const EventNames names{"enters", "leaves"};
  return names;
}

/// "0:4 2:1".
std::string text_of(const AdmissionHeads& heads) {
  std::string text;
  for (unsigned a = 0; a < kMaxAdmitted; ++a) {
    if ((heads.waiting >> a & 1) != 0) text += fmt::format("{}{}:{}", text.empty() ? "" : " ", a, heads.bursts[a]);
  }
  return text;
}

AdmissionHeads heads_of(const CsvReader& csv, std::string_view text) {
  AdmissionHeads heads;
  while (!text.empty()) {
    const auto application = take_number<unsigned>(text);
    const bool colon = !text.empty() && text.front() == ':';
    if (colon) text.remove_prefix(1);
    const auto bursts = take_number<unsigned>(text);
    if (!application || *application >= kMaxAdmitted || !colon || !bursts) {
      csv.fail("heads: allowed is APPLICATION:BURSTS, several of them separated by blanks");
    }
    heads.waiting |= std::uint64_t{1} << *application;
    heads.bursts[*application] = *bursts;
    if (!text.empty()) text.remove_prefix(1);
  }
  return heads;
}

struct AdmissionRow {
  const AdmissionEvent& event;

  template <class Visitor>
  static void describe(Visitor& v) {
    v.field([](const AdmissionRow& r) { return r.event.at; }, "cycle", Value{"command cycles"}, "It happened");
    v.field([](const AdmissionRow& r) { return name_of(admission_events(), r.event.kind); }, "event", Value{},
            "`enters`: the answer was this application, and its access enters the queue; `leaves`: a burst is served");
    v.field([](const AdmissionRow& r) { return static_cast<unsigned>(r.event.application); }, "application", Value{},
            "By number, as `dram.applications` counts them");
    v.field([](const AdmissionRow& r) { return text_of(r.event.heads); }, "heads", Value{},
            "What fitted and waited, as APPLICATION:BURSTS, separated by blanks; of `leaves` empty");
  }
};

class RecordsAdmission final : public Probe {
 public:
  explicit RecordsAdmission(const std::string& value) : value_("admission", value, "CHANNEL") {}

  void attach(ProbeSite& site) override {
    const auto channels = site.units<DramController>("DRAM controller");
    value_.check(channels.size());
    csv_.open(site, kAdmissionFile);
    DramController& channel = *channels[value_.unit];
    site.watch(channel, channel.core().admission, [this](const AdmissionEvent& event) { note(event); });
  }

 private:
  void note(const AdmissionEvent& event) {
    if (entered_ == value_.decisions) return;
    if (event.kind == AdmissionEvent::Kind::kEnters) ++entered_;
    csv_.write({event});
  }

  RecordingValue value_;
  std::uint64_t entered_ = 0;
  RowFile<AdmissionRow> csv_;
};

std::vector<AdmissionEvent> read_admission_recording(const RecordedRun& run) {
  return read_recording<AdmissionEvent>(run, kAdmissionFile, "admission", admission_events(),
                                        [](CsvReader& csv, AdmissionEvent& event) {
                                          const std::uint64_t application = csv.number(csv.column("application"));
                                          if (application >= kMaxAdmitted) csv.fail("application: allowed is 0 to 7");
                                          event.application = static_cast<std::uint8_t>(application);
                                          event.heads = heads_of(csv, csv.field(csv.column("heads")));
                                        });
}

GPUTLM_REGISTER {
  add_probe<RecordsAdmission>(
      "admission", "admission.csv: whose access enters a DRAM channel's queue, to be played on hardware", 32);
  add_row_table<AdmissionRow>(kAdmissionFile, "What an admission was told and asked; `--probe admission`");
  add_recording("admission", read_admission_recording);
}

}  // namespace
}  // namespace gputlm
