/// What a regulator of memory budgets was told and asked, as lines of regulator.csv (docs/rtl.md).
#include "models/regulator/regulator.h"

#include <algorithm>

#include "models/l2/slice.h"
#include "models/noc/gpc_port.h"
#include "platform/probes/recordings.h"
#include "platform/probes/row_file.h"

namespace gputlm {
namespace {

constexpr const char* kRegulatorFile = "regulator.csv";

const EventNames& regulator_events() {
  static const EventNames names{"passes", "waits", "begins"};
  return names;
}

struct RegulatorRow {
  const RegulatorEvent& event;

  template <class Visitor>
  static void describe(Visitor& v) {
    v.field([](const RegulatorRow& r) { return r.event.at; }, "cycle", Value{"core cycles"}, "It happened");
    v.field(
        [](const RegulatorRow& r) { return name_of(regulator_events(), r.event.kind); }, "event", Value{},
        "`passes`: tokens suffice for the request at the head of the application's queue, and it leaves; `waits`: they "
        "do not, told when it comes to the head and after each start of a period; `begins`: a period of the "
        "application");
    v.field([](const RegulatorRow& r) { return static_cast<unsigned>(r.event.number); }, "application", Value{},
            "By number, among those with a budget");
    v.field([](const RegulatorRow& r) { return r.event.bytes; }, "bytes", Value{"bytes"},
            "Of the request; of `begins`, the application's budget at this place");
  }
};

/// Where budgets are enforced, in the order of the SMs or of the slices.
struct RegulatedUnit {
  Unit* unit;
  RegulatedPlace* place;
};

std::vector<RegulatedUnit> regulated_units(const ProbeSite& site) {
  std::vector<RegulatedUnit> all;
  const auto add = [&all](const auto& units) {
    for (auto* const unit : units) {
      for (const auto& place : unit->regulated().all()) all.push_back({unit, place.get()});
    }
  };
  add(site.find<GpcPort>());
  add(site.find<L2Slice>());
  return all;
}

bool regulates(const RegulatedUnit& one) {
  const std::vector<Bytes> budgets = one.place->budgets();
  return std::any_of(budgets.begin(), budgets.end(), [](Bytes bytes) { return bytes > 0; });
}

class RecordsRegulator final : public Probe {
 public:
  explicit RecordsRegulator(const std::string& value) : value_("regulator", value, "PLACE") {}

  void attach(ProbeSite& site) override {
    const std::vector<RegulatedUnit> all = regulated_units(site);
    const auto first = std::find_if(all.begin(), all.end(), regulates);
    if (first == all.end()) throw InputError("--probe regulator: no application of the workload has a memory_budget");
    value_.check(all.size());
    const auto& [unit, place] = all[value_.unit];
    if (!regulates(all[value_.unit])) {
      throw InputError(
          fmt::format("--probe regulator: found PLACE {}, where no application has a budget; the first one "
                      "where one has is {}",
                      value_.unit, first - all.begin()));
    }
    csv_.open(site, kRegulatorFile);
    const std::vector<Bytes> budgets = place->budgets();
    for (std::size_t number = 0; number < budgets.size(); ++number) {
      if (budgets[number] == 0) continue;
      note({0, RegulatorEvent::Kind::kBegins, static_cast<std::uint8_t>(number), budgets[number]});
    }
    site.watch(*unit, place->decisions, [this](const RegulatorEvent& event) { note(event); });
  }

 private:
  void note(const RegulatorEvent& event) {
    if (passed_ == value_.decisions) return;
    if (event.kind == RegulatorEvent::Kind::kPasses) ++passed_;
    csv_.write({event});
  }

  RecordingValue value_;
  std::uint64_t passed_ = 0;
  RowFile<RegulatorRow> csv_;
};

/// Begins with the first period of each application that has a budget there, of cycle 0.
std::vector<RegulatorEvent> read_regulator_recording(const RecordedRun& run) {
  const auto all = read_recording<RegulatorEvent>(
      run, kRegulatorFile, "regulator", regulator_events(), [](CsvReader& csv, RegulatorEvent& event) {
        const std::uint64_t number = csv.number(csv.column("application"));
        if (number >= kMaxRegulated) csv.fail(fmt::format("application: allowed is 0 to {}", kMaxRegulated - 1));
        event.number = static_cast<std::uint8_t>(number);
        event.bytes = csv.number(csv.column("bytes"));
      });
  if (all.back().at == 0)
    throw InputError(fmt::format("{}/{}: nothing was decided there", run.folder(), kRegulatorFile));
  return all;
}

GPUTLM_REGISTER {
  add_probe<RecordsRegulator>(
      "regulator", "regulator.csv: which requests pass a place with memory budgets, to be played on hardware", 34);
  add_row_table<RegulatorRow>(kRegulatorFile, "What a regulator was told and asked; `--probe regulator`");
  add_recording("regulator", read_regulator_recording);
}

}  // namespace
}  // namespace gputlm
