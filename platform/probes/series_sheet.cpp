#include "platform/probes/series_sheet.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "platform/files/csv.h"
#include "tlm/report.h"

namespace gputlm {
namespace {

/// As a part of a column's name: "SM's TLB" is sm_tlb.
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

/// Entries that share columns, in the order of those: by table and part.
using Key = std::pair<std::string, std::string>;
Key key_of(const SeriesEntry& entry) { return {entry.table->name, entry.part}; }

void add(std::vector<std::uint64_t>& to, std::size_t first, const std::vector<std::uint64_t>& counts) {
  for (std::size_t i = 0; i < counts.size(); ++i) to[first + i] += counts[i];
}

}  // namespace

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
                         std::vector<Member> members)
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

/// A count may be less than the last time: of waits that had not ended and count for another reason now.
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

}  // namespace gputlm
