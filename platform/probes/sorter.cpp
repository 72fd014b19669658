/// What the warp scheduler of a sub-core was told and asked, as lines of sorter.csv (docs/rtl.md).
#include "models/sm/sm.h"
#include "platform/probes/recordings.h"
#include "platform/probes/row_file.h"
#include "tlm/numbers.h"

namespace gputlm {
namespace {

constexpr const char* kSorterFile = "sorter.csv";

const EventNames& sorter_events() {
  static const EventNames names{"issues", "assigned", "released"};
  return names;
}

struct SorterRow {
  const SorterEvent& event;

  template <class Visitor>
  static void describe(Visitor& v) {
    v.field([](const SorterRow& r) { return r.event.at; }, "cycle", Value{"core cycles"}, "It happened");
    v.field([](const SorterRow& r) { return name_of(sorter_events(), r.event.kind); }, "event", Value{},
            "`issues`: the answer was this warp, and it issues; `assigned`, `released`: a warp moves in, or leaves");
    v.field([](const SorterRow& r) { return static_cast<unsigned>(r.event.slot); }, "slot", Value{},
            "Of the warp, in the sub-core");
    v.field([](const SorterRow& r) { return r.event.budget; }, "budget", Value{"switches"},
            "Of the kernel launch whose warp is `assigned`; else 0");
    v.field([](const SorterRow& r) { return fmt::format("{:#x}", r.event.candidates); }, "candidates", Value{},
            "Slots from which the one that `issues` was chosen, as a set of bits; else 0");
  }
};

/// "0x1f".
std::uint64_t bits_of(const CsvReader& csv, std::string_view text) {
  std::uint64_t bits = 0;
  const bool hexadecimal = text.size() > 2 && text.size() <= 18 && text.substr(0, 2) == "0x";
  for (const char digit : hexadecimal ? text.substr(2) : std::string_view("?")) {
    const std::size_t value = std::string_view("0123456789abcdef").find(digit);
    if (value == std::string_view::npos) csv.fail("candidates: allowed is a hexadecimal number, as 0x1f");
    bits = bits << 4 | value;
  }
  return bits;
}

class RecordsSorter final : public Probe {
 public:
  explicit RecordsSorter(const std::string& value) : value_("sorter", value, "SUB_CORE") {}

  void attach(ProbeSite& site) override {
    const auto sms = site.units<Sm>("SM");
    // Sub-cores are numbered through all SMs.
    const std::size_t sub_cores = sms.front()->core().statistics(0).issued.size();
    if (sub_cores == 0) throw InputError("--probe sorter: the GPU's SMs have no warp schedulers (sm.model=warps has)");
    value_.check(sms.size() * sub_cores);
    csv_.open(site, kSorterFile);
    Sm& sm = *sms[value_.unit / sub_cores];
    site.watch(sm, sm.core().sorters, [this, sub_core = value_.unit % sub_cores](const SorterEvent& event) {
      if (event.sub_core == sub_core) note(event);
    });
  }

 private:
  void note(const SorterEvent& event) {
    if (issued_ == value_.decisions) return;
    if (event.kind == SorterEvent::Kind::kIssues) ++issued_;
    csv_.write({event});
  }

  RecordingValue value_;
  std::uint64_t issued_ = 0;
  RowFile<SorterRow> csv_;
};

std::vector<SorterEvent> read_sorter_recording(const RecordedRun& run) {
  return read_recording<SorterEvent>(run, kSorterFile, "sorter", sorter_events(),
                                     [](CsvReader& csv, SorterEvent& event) {
                                       const std::uint64_t slot = csv.number(csv.column("slot"));
                                       if (slot >= 64) csv.fail("slot: allowed is 0 to 63");
                                       event.slot = static_cast<std::uint8_t>(slot);
                                       event.budget = static_cast<unsigned>(csv.number(csv.column("budget")));
                                       event.candidates = bits_of(csv, csv.field(csv.column("candidates")));
                                     });
}

GPUTLM_REGISTER {
  add_probe<RecordsSorter>("sorter", "sorter.csv: which warp of a sub-core issues, to be played on hardware", 33);
  add_row_table<SorterRow>(kSorterFile, "What a warp sorter was told and asked; `--probe sorter`");
  add_recording("sorter", read_sorter_recording);
}

}  // namespace
}  // namespace gputlm
