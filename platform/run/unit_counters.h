/// What the units of a GPU have counted in a run: of every struct that has a place in result.json (tlm/counter_table.h),
/// whatever unit it is of.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/bytes.h"
#include "tlm/counter_table.h"
#include "tlm/report.h"
#include "tlm/time.h"

namespace gputlm {

struct UnitCounters {
  struct Entry {
    std::string table;  ///< CounterTable::name
    std::string part;   ///< of the unit
    std::optional<std::uint32_t> application;
    std::string bytes;  ///< the struct
  };
  std::vector<Entry> entries;  ///< in the order of the units

  /// The structs of a type, in that order. Throws InputError if it is not registered.
  template <class S>
  std::vector<S> all(std::string_view part = {}) const {
    const std::string& table = counter_table_of(typeid(S)).name;
    std::vector<S> found;
    for (const Entry& entry : entries) {
      if (entry.table == table && entry.part == part) found.push_back(from_bytes<S>(table, entry.bytes));
    }
    return found;
  }
  /// By application, what several units have counted of one added up; empty if none counts by application.
  template <class S>
  std::vector<S> by_application() const {
    const std::string& table = counter_table_of(typeid(S)).name;
    std::vector<S> sums;
    for (const Entry& entry : entries) {
      if (entry.table != table || !entry.application) continue;
      if (sums.size() <= *entry.application) sums.resize(*entry.application + 1);
      sums[*entry.application] += from_bytes<S>(table, entry.bytes);
    }
    return sums;
  }
  template <class S>
  S total(std::string_view part = {}) const {
    return sum(all<S>(part));
  }
};

UnitCounters unit_counters(const Report& report);

/// Puts them into the result, in whose `applications` those by application go.
void place_counters(nlohmann::ordered_json& result, const UnitCounters& units);

}  // namespace gputlm
