/// What was counted in each interval of time: series.csv, all units together, and series_KIND.csv, by unit
/// (docs/result.md).
#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>

#include "platform/files/split.h"
#include "platform/input/nearest.h"
#include "platform/probes/probe.h"
#include "platform/probes/series_sheet.h"

namespace gputlm {
namespace {

constexpr const char* kAllowed = "allowed: 1us, 500ns, 2ms or 1000cycles, and :KIND,... behind it";
constexpr const char* kNoUnits = "gpu";

[[noreturn]] void refuse(const std::string& value, const std::string& why) {
  throw InputError("--series: found '" + shortened(value) + "', " + why);
}

/// Units of which there may be several are called KIND_number; empty of others.
std::string kind_of(const Unit& unit) {
  const std::string name = unit.basename();
  const std::size_t end = name.find_last_not_of("0123456789");
  const bool numbered = end != std::string::npos && end + 1 < name.size() && name[end] == '_';
  return numbered ? name.substr(0, end) : "";
}

class Series final : public Probe {
 public:
  explicit Series(const std::string& value) : value_(value) {
    const std::size_t colon = std::min(value.find(':'), value.size());
    parse_period(value.substr(0, colon));
    if (colon < value.size()) kinds_ = split(value.substr(colon + 1), ',');
  }

  void attach(ProbeSite& site) override {
    clock_ = site.clock;
    std::vector<std::string> applications;
    for (const ApplicationSpec& application : site.workload().applications) applications.push_back(application.name);
    for (const std::unique_ptr<Unit>& unit : site.units()) entries_.push_back(series_entries(*unit));
    std::vector<SeriesSheet::Member> all;
    std::vector<std::pair<std::string, std::vector<SeriesSheet::Member>>> kinds;  // in the order of their first units
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const Unit& unit = *site.units()[i];
      all.push_back({unit.basename(), &entries_[i]});
      const std::string kind = kind_of(unit);
      if (kind.empty()) continue;
      auto of_kind = std::find_if(kinds.begin(), kinds.end(), [&](const auto& known) { return known.first == kind; });
      if (of_kind == kinds.end()) of_kind = kinds.insert(kinds.end(), {kind, {}});
      of_kind->second.push_back(all.back());
    }
    check_kinds(kinds);
    sheets_.emplace_back(site.file("series.csv"), applications, false, all);
    for (const auto& [kind, members] : kinds) {
      if (!wants(kind)) continue;
      sheets_.emplace_back(site.file("series_" + kind + ".csv"), applications, true, members);
    }
    const Cycle cycles = cycles_ ? *cycles_ : std::max<Cycle>(clock_.at_or_after(period_), 1);
    site.sample(clock_.edge(cycles),
                [this](Femtoseconds at, const std::vector<Report>& reports) { take(at, reports); });
  }

 private:
  void parse_period(const std::string& text) {
    struct Scale {
      const char* unit;
      Femtoseconds length;
    };
    constexpr Scale kScales[] = {{"ns", 1'000'000}, {"us", 1'000'000'000}, {"ms", 1'000'000'000'000}, {"cycles", 0}};
    constexpr std::uint64_t kMax = 1'000'000;
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [unit, error] = std::from_chars(text.data(), end, number);
    for (const Scale& scale : kScales) {
      if (error != std::errc() || std::string(unit, end) != scale.unit) continue;
      if (number == 0 || number > kMax)
        refuse(value_, "allowed: 1" + std::string(scale.unit) + " to 1000000" + scale.unit);
      if (scale.length == 0) {
        cycles_ = number;
      } else {
        period_ = number * scale.length;
      }
      return;
    }
    refuse(value_, kAllowed);
  }
  template <class Kinds>
  void check_kinds(const Kinds& kinds) const {
    std::vector<std::string> allowed;
    for (const auto& [kind, members] : kinds) allowed.push_back(kind);
    allowed.push_back(kNoUnits);
    for (const std::string& kind : kinds_.value_or(std::vector<std::string>())) {
      if (std::find(allowed.begin(), allowed.end(), kind) == allowed.end())
        refuse(value_, "no kind of unit is called '" + shortened(kind) + "'" + suggestion(kind, allowed));
    }
  }
  bool wants(const std::string& kind) const {
    return !kinds_ || std::find(kinds_->begin(), kinds_->end(), kind) != kinds_->end();
  }

  void take(Femtoseconds at, const std::vector<Report>& reports) {
    for (std::size_t i = 0; i < reports.size(); ++i) {
      for (SeriesEntry& entry : entries_[i])
        entry.sums = *entry.table->sums(reports[i].entries()[entry.place].statistics);
    }
    const Cycle end = clock_.at_or_after(at);
    for (SeriesSheet& sheet : sheets_) sheet.write(start_, end - start_);
    start_ = end;
  }

  std::string value_;
  Femtoseconds period_ = 0;
  std::optional<Cycle> cycles_;                    ///< in its place
  std::optional<std::vector<std::string>> kinds_;  ///< none: all
  Clock clock_{1};
  std::vector<std::vector<SeriesEntry>> entries_;  ///< by unit
  std::vector<SeriesSheet> sheets_;
  Cycle start_ = 0;
};

GPUTLM_REGISTER {
  add_probe<Series>("series", "series.csv: what was counted in each interval of time, e.g. series=1us", 12, nullptr,
                    ProbeOption{"--series",
                                "PERIOD[:KIND,...]: counters over time, e.g. 1us, 500ns or 1000cycles; series.csv and, "
                                "by unit, series_KIND.csv of all kinds or of some, e.g. 1us:sm,dram; none: 1us:gpu"});
}

}  // namespace
}  // namespace gputlm
