/// All counters, by the unit that counts them. A unit registers its struct (tlm/base/counters.h) with its place in result.json;
/// nothing else needs to know it:
///
///   GPUTLM_REGISTER { add_counter_table<L2Statistics>("L2 slice", {"l2.total", "l2.slices"}); }
#pragma once

#include <any>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#include "tlm/base/bytes.h"
#include "tlm/base/counter_sums.h"
#include "tlm/base/counter_visitor.h"
#include "tlm/base/counters.h"
#include "tlm/base/registry.h"
#include "tlm/report.h"

namespace gputlm {

/// Paths in result.json, through nested objects; empty: not there.
struct CounterPlace {
  std::string total = {};        ///< of the sum over units; the parts of units that have several are below it
  std::string each = {};         ///< of the list of all units
  std::string application = {};  ///< of counters by application: within each application's object
  std::string also = {};         ///< where else a reader finds the counters

  /// Whether the counters are written there automatically.
  bool is_given() const { return !total.empty() || !each.empty() || !application.empty(); }
};

/// A struct that a unit has put into a Report (tlm/report.h), as bytes (tlm/base/bytes.h).
struct CounterBytes {
  std::optional<ApplicationId> application;  ///< which application; none: the whole unit
  std::string bytes;
};

/// `name`: the unit that counts.
struct CounterTable : Registered {
  CounterPlace place;
  std::vector<Field> counters;
  const std::type_info* type = nullptr;  ///< of the struct
  // The following take an entry of a Report: the struct itself, or a ByApplication of it. They return none for another
  // table's entry.
  /// The additive counters and their names. An application without a struct has no numbers.
  std::function<std::optional<CounterRow<std::uint64_t>>(const std::any&)> sums;
  std::function<std::optional<CounterRow<std::string>>(const std::any&)> sum_names;
  std::function<std::vector<CounterBytes>(const std::any&)> bytes;
  /// Visits the sum of the structs.
  std::function<void(const std::vector<std::string_view>& structs, CounterVisitor&)> visit;
};

/// In the order of their names.
Registry<CounterTable>& counter_tables();
/// Throws InputError if there is none of this type.
const CounterTable& counter_table_of(const std::type_info& type);

template <class S>
void add_counter_table(const std::string& name, CounterPlace place) {
  CounterTable table;
  table.name = name;
  table.place = std::move(place);
  table.counters = counter_list<S>();
  table.type = &typeid(S);
  table.sums = [](const std::any& entry) -> std::optional<CounterRow<std::uint64_t>> {
    if (const auto* const one = std::any_cast<S>(&entry)) return sums(*one);
    const auto* const applications = std::any_cast<ByApplication<S>>(&entry);
    if (!applications) return std::nullopt;
    CounterRow<std::uint64_t> row;
    for (const auto& [application, one] : *applications) {
      row.applications.resize(application + std::size_t{1});
      row.applications.back() = sums(one).whole;
    }
    return row;
  };
  table.sum_names = [](const std::any& entry) -> std::optional<CounterRow<std::string>> {
    if (std::any_cast<S>(&entry)) return sum_names<S>();
    if (!std::any_cast<ByApplication<S>>(&entry)) return std::nullopt;
    return CounterRow<std::string>{{}, {sum_names<S>().whole}};
  };
  table.bytes = [name](const std::any& entry) {
    std::vector<CounterBytes> bytes;
    if (const auto* const one = std::any_cast<S>(&entry)) bytes.push_back({std::nullopt, bytes_of(name, *one)});
    if (const auto* const applications = std::any_cast<ByApplication<S>>(&entry)) {
      for (const auto& [application, one] : *applications) bytes.push_back({application, bytes_of(name, one)});
    }
    return bytes;
  };
  table.visit = [name](const std::vector<std::string_view>& structs, CounterVisitor& visitor) {
    S total;
    for (const std::string_view one : structs) total += from_bytes<S>(name, one);
    visit_values(total, visitor);
  };
  counter_tables().add(std::move(table));
}

}  // namespace gputlm
