/// Counters per interval of time: series.csv, over all units, and series_KIND.csv, by unit (docs/result.md).
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "platform/files/atomic_file.h"
#include "platform/files/csv.h"
#include "platform/files/split.h"
#include "platform/input/nearest.h"
#include "platform/probes/probe.h"
#include "tlm/counter_table.h"
#include "tlm/report.h"
#include "tlm/unit.h"

namespace gputlm {
namespace {

/// One statistic of a unit in a file of counters over time (docs/result.md): its index in the unit's reports, and its type.
/// The file has one row per interval, unit and application. Its columns follow from the units' reports and the descriptions
/// of counters (tlm/base/counters.h).
struct SeriesEntry {
  std::size_t place = 0;
  const CounterTable* table = nullptr;
  std::string part;                ///< part of the unit
  CounterRow<std::string> names;   ///< names of its counters
  CounterRow<std::uint64_t> sums;  ///< sums at the last sample
};

class SeriesSheet {
 public:
  /// A unit of the sheet. The constructor takes the names of `applications`, and writes the header. `by_unit`: the sheet has
  /// rows per unit, otherwise sums over units.
  struct Member {
    std::string name;
    const std::vector<SeriesEntry>* entries;
  };
  SeriesSheet(AtomicFile& csv, const std::vector<std::string>& applications, bool by_unit,
              const std::vector<Member>& members);

  /// Writes the increase of the members' counters since the last call, over an interval of `cycles` core cycles.
  void write(Cycle start, Cycle cycles);

 private:
  using Counts = std::vector<std::uint64_t>;
  /// The first column of an entry's counters, for the totals and for an application.
  struct Columns {
    std::size_t whole = 0, application = 0;
  };
  /// Members whose counts are summed.
  struct Group {
    std::string name;
    std::vector<std::pair<const SeriesEntry*, Columns>> entries;
    std::vector<Counts> now, before;  ///< totals, and by application
  };

  std::vector<Counts> zeros() const;
  void write_row(const Group& group, std::size_t row);

  AtomicFile& csv_;
  std::vector<std::string> applications_;
  bool by_unit_;
  std::size_t whole_ = 0, application_ = 0;  ///< number of columns
  std::vector<Group> groups_;
  fmt::memory_buffer line_;
  std::string interval_;  ///< fields of the interval
};

/// As a part of a column name: "SM's TLB" becomes sm_tlb.
std::string slug(std::string_view name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name.substr(i, 2) == "'s") {
      ++i;
    } else {
      text += name[i] == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
    }
  }
  return text;
}

/// Entries with the same columns, by table and part.
using Key = std::pair<std::string, std::string>;
Key key_of(const SeriesEntry& entry) { return {entry.table->name, entry.part}; }

void add(std::vector<std::uint64_t>& to, std::size_t first, const std::vector<std::uint64_t>& counts) {
  for (std::size_t i = 0; i < counts.size(); ++i) to[first + i] += counts[i];
}

/// The statistics of a unit that have a CounterTable.
std::vector<SeriesEntry> series_entries(Unit& unit) {
  Report report;
  unit.report(report, 0);
  std::vector<SeriesEntry> entries;
  for (std::size_t place = 0; place < report.entries().size(); ++place) {
    const Report::Entry& entry = report.entries()[place];
    for (const CounterTable& table : counter_tables()) {
      if (auto names = table.sum_names(entry.statistics))
        entries.push_back({place, &table, entry.part, std::move(*names), {}});
    }
  }
  return entries;
}

SeriesSheet::SeriesSheet(AtomicFile& csv, const std::vector<std::string>& applications, bool by_unit,
                         const std::vector<Member>& members)
    : csv_(csv), applications_(applications), by_unit_(by_unit) {
  std::map<Key, const SeriesEntry*> kinds;
  for (const Member& member : members) {
    for (const SeriesEntry& entry : *member.entries) kinds.emplace(key_of(entry), &entry);
  }
  std::map<Key, Columns> columns;
  std::string of_applications, of_whole;
  for (const auto& [key, entry] : kinds) {
    columns[key] = {whole_, application_};
    const std::string prefix =
        "," + slug(entry->table->name) + (entry->part.empty() ? "." : "." + slug(entry->part) + ".");
    for (const std::string& name : entry->names.whole) of_whole += prefix + name;
    for (const std::string& name : entry->names.applications.front()) of_applications += prefix + name;
    whole_ += entry->names.whole.size();
    application_ += entry->names.applications.front().size();
  }
  csv_.write("start_cycle,interval_cycles" + std::string(by_unit ? ",unit" : "") + ",application" + of_applications +
             of_whole + "\n");
  for (const Member& member : members) {
    if (by_unit || groups_.empty()) groups_.push_back({member.name, {}, zeros(), zeros()});
    for (const SeriesEntry& entry : *member.entries)
      groups_.back().entries.emplace_back(&entry, columns[key_of(entry)]);
  }
}

std::vector<SeriesSheet::Counts> SeriesSheet::zeros() const {
  std::vector<Counts> rows(1 + applications_.size(), Counts(application_));
  rows.front().assign(whole_, 0);
  return rows;
}

void SeriesSheet::write(Cycle start, Cycle cycles) {
  interval_ = fmt::format("{},{}", start, cycles);
  for (Group& group : groups_) {
    for (Counts& counts : group.now) std::fill(counts.begin(), counts.end(), 0);
    for (const auto& [entry, columns] : group.entries) {
      add(group.now.front(), columns.whole, entry->sums.whole);
      for (std::size_t a = 0; a < entry->sums.applications.size(); ++a)
        add(group.now.at(1 + a), columns.application, entry->sums.applications[a]);
    }
    for (std::size_t row = 1; row < group.now.size(); ++row) {
      if (!by_unit_ || group.now[row] != group.before[row]) write_row(group, row);
    }
    write_row(group, 0);
    std::swap(group.now, group.before);
  }
}

/// A count may decrease: waits that have not ended may be attributed to another reason later.
void SeriesSheet::write_row(const Group& group, std::size_t row) {
  line_.clear();
  line_.append(interval_);
  line_.push_back(',');
  if (by_unit_) {
    line_.append(group.name);
    line_.push_back(',');
  }
  if (row > 0) write_csv_field(line_, applications_[row - 1]);
  if (row == 0) line_.append(std::string(application_, ','));
  for (std::size_t i = 0; i < group.now[row].size(); ++i) {
    line_.push_back(',');
    const auto more = static_cast<std::int64_t>(group.now[row][i] - group.before[row][i]);
    line_.append(fmt::format_int(more));
  }
  if (row > 0) line_.append(std::string(whole_, ','));
  line_.push_back('\n');
  csv_.write({line_.data(), line_.size()});
}

constexpr const char* kAllowed = "allowed: 1us, 500ns, 2ms or 1000cycles, and :KIND,... behind it";
constexpr const char* kNoUnits = "gpu";

[[noreturn]] void refuse(const std::string& value, const std::string& why) {
  throw InputError("--series: found '" + shortened(value) + "', " + why);
}

/// The KIND of units named KIND_number; empty for others.
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
  std::optional<Cycle> cycles_;                    ///< interval in cycles, instead of time
  std::optional<std::vector<std::string>> kinds_;  ///< kinds of units; none: all
  Clock clock_{1};
  std::vector<std::vector<SeriesEntry>> entries_;  ///< entries of each unit
  std::vector<SeriesSheet> sheets_;
  Cycle start_ = 0;
};

GPUTLM_REGISTER {
  add_probe<Series>("series", "series.csv: counters per interval of time, e.g. series=1us", 12, nullptr,
                    Field{"--series", "",
                          "PERIOD[:KIND,...]: counters over time, e.g. 1us, 500ns or 1000cycles; series.csv and, "
                          "by unit, series_KIND.csv of all kinds or of some, e.g. 1us:sm,dram; none: 1us:gpu"});
}

}  // namespace

}  // namespace gputlm
