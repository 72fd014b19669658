/// All counters that there are, by what counts them. A unit registers its struct (tlm/counters.h) where it counts, with the
/// place that it has in result.json, and nothing else has to know it:
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

#include "tlm/bytes.h"
#include "tlm/counter_sums.h"
#include "tlm/counter_visitor.h"
#include "tlm/counters.h"
#include "tlm/registry.h"

namespace gputlm {

/// Paths in result.json, of nested objects; empty: it is not there.
struct CounterPlace {
  std::string total = {};        ///< of the sum over units; of units with several parts, the parts are below it
  std::string each = {};         ///< of the list of all units
  std::string application = {};  ///< of what is counted by application: in the object of each application
  std::string also = {};         ///< where else the counters are, for a reader

  /// Whether the counters of units go there by themselves.
  bool is_given() const { return !total.empty() || !each.empty() || !application.empty(); }
};

/// What a unit has put into a Report (tlm/report.h), as bytes (tlm/bytes.h): one struct, or one an application.
struct CounterBytes {
  bool by_application = false;
  std::vector<std::string> structs;
};

/// `name`: who counts.
struct CounterTable : Registered {
  CounterPlace place;
  std::vector<CounterInfo> counters;
  const std::type_info* type = nullptr;  ///< of the struct
  // The following take an entry of a Report: the struct itself, or a std::vector of it by application. None if the entry is
  // another's.
  /// What adds up, and its names.
  std::function<std::optional<CounterRow<std::uint64_t>>(const std::any&)> sums;
  std::function<std::optional<CounterRow<std::string>>(const std::any&)> sum_names;
  std::function<std::optional<CounterBytes>(const std::any&)> bytes;
  /// Tells what the structs have counted together.
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
    const auto* const applications = std::any_cast<std::vector<S>>(&entry);
    if (!applications) return std::nullopt;
    CounterRow<std::uint64_t> row;
    for (const S& one : *applications) row.applications.push_back(sums(one).whole);
    return row;
  };
  table.sum_names = [](const std::any& entry) -> std::optional<CounterRow<std::string>> {
    if (std::any_cast<S>(&entry)) return sum_names<S>();
    if (!std::any_cast<std::vector<S>>(&entry)) return std::nullopt;
    return CounterRow<std::string>{{}, {sum_names<S>().whole}};
  };
  table.bytes = [name](const std::any& entry) -> std::optional<CounterBytes> {
    if (const auto* const one = std::any_cast<S>(&entry)) return CounterBytes{false, {bytes_of(name, *one)}};
    const auto* const applications = std::any_cast<std::vector<S>>(&entry);
    if (!applications) return std::nullopt;
    CounterBytes bytes{true, {}};
    for (const S& one : *applications) bytes.structs.push_back(bytes_of(name, one));
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
