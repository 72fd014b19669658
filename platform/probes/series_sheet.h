/// A file of counters over time: a row an interval, a unit and an application (docs/result.md). Its columns are made of what
/// the units report and of the counters' descriptions (tlm/counters.h).
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "platform/files/atomic_file.h"
#include "tlm/counter_table.h"
#include "tlm/unit.h"

namespace gputlm {

/// One statistic of a unit: its place in the unit's reports, and what it is.
struct SeriesEntry {
  std::size_t place = 0;
  const CounterTable* table = nullptr;
  std::string part;                ///< of the unit
  CounterRow<std::string> names;   ///< of its counters
  CounterRow<std::uint64_t> sums;  ///< as of the last sample
};

/// The statistics of a unit whose struct is a CounterTable.
std::vector<SeriesEntry> series_entries(Unit& unit);

class SeriesSheet {
 public:
  /// `applications`: their names. `by_unit`: each unit has rows of its own, otherwise they are summed. Writes the header.
  /// `units`: of the assembly, by their numbers there; those of the sheet are `members`.
  struct Member {
    std::string name;
    const std::vector<SeriesEntry>* entries;
  };
  SeriesSheet(AtomicFile& csv, const std::vector<std::string>& applications, bool by_unit, std::vector<Member> members);

  /// What the members' entries have counted more than the last time, in an interval of `cycles` core cycles.
  void write(Cycle start, Cycle cycles);

 private:
  using Counts = std::vector<std::uint64_t>;
  /// Where the counters of an entry begin among those of a whole row and of an application's.
  struct Columns {
    std::size_t whole = 0, application = 0;
  };
  /// Members whose counts are summed.
  struct Group {
    std::string name;
    std::vector<std::pair<const SeriesEntry*, Columns>> entries;
    std::vector<Counts> now, before;  ///< whole, and by application
  };

  std::vector<Counts> zeros() const;
  void write_row(const Group& group, std::size_t row);

  AtomicFile& csv_;
  std::vector<std::string> applications_;
  bool by_unit_;
  std::size_t whole_ = 0, application_ = 0;  ///< columns
  std::vector<Group> groups_;
  fmt::memory_buffer line_;
  std::string interval_;  ///< its fields
};

}  // namespace gputlm
