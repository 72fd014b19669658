/// All counters, by the unit that counts them. A unit registers its struct (tlm/base/counters.h) with its place in result.json;
/// nothing else needs to know it:
///
///   GPUTLM_REGISTER { add_counter_table<L2Statistics>("L2 slice", {"l2.total", "l2.slices"}); }
#pragma once

#include <any>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#include "tlm/base/bytes.h"
#include "tlm/base/counters.h"
#include "tlm/base/registry.h"
#include "tlm/report.h"

namespace gputlm {

/// Paths in result.json, through nested objects; empty: not there.
struct CounterPlace {
  std::string total = {};        ///< path of the sum over units; below it are the parts of units that have several
  std::string each = {};         ///< path of the list of all units
  std::string application = {};  ///< path of counters by application, within each application's object
  std::string also = {};         ///< another place where a reader finds the counters

  /// Whether the counters are written there automatically.
  bool is_given() const { return !total.empty() || !each.empty() || !application.empty(); }
};

/// A struct that a unit has put into a Report (tlm/report.h), as bytes (tlm/base/bytes.h).
struct CounterBytes {
  std::optional<ApplicationId> application;  ///< the application; none: the whole unit
  std::string bytes;
};

/// `name`: the unit that counts.
struct CounterTable : Registered {
  CounterPlace place;
  const CounterLayout* layout = nullptr;
  const std::type_info* type = nullptr;  ///< type of the struct

  // The following take an entry of a Report: the struct itself, or a ByApplication of it. They return none for another
  // table's entry.
  /// An application without a struct has no numbers.
  std::optional<CounterRow<std::uint64_t>> sums(const std::any& entry) const;
  std::optional<CounterRow<std::string>> sum_names(const std::any& entry) const;
  std::vector<CounterBytes> bytes(const std::any& entry) const;
  /// The sum of one or more structs.
  std::shared_ptr<const void> total(const std::vector<std::string_view>& structs) const;

  // Set by add_counter_table():
  struct Structs {
    bool by_application;
    std::vector<std::pair<ApplicationId, const void*>> all;
  };
  std::optional<Structs> (*structs)(const std::any& entry) = nullptr;
  std::string (*to_bytes)(const std::string& name, const void* counted) = nullptr;
  std::shared_ptr<void> (*of_bytes)(const std::string& name, std::string_view bytes) = nullptr;
};

/// All tables, in the order of their names.
Registry<CounterTable>& counter_tables();
/// Throws InputError if there is none of this type.
const CounterTable& counter_table_of(const std::type_info& type);

template <class S>
void add_counter_table(const std::string& name, CounterPlace place) {
  CounterTable table;
  table.name = name;
  table.place = std::move(place);
  table.layout = &counter_layout<S>();
  table.type = &typeid(S);
  table.structs = [](const std::any& entry) -> std::optional<CounterTable::Structs> {
    if (const auto* const one = std::any_cast<S>(&entry)) return CounterTable::Structs{false, {{0, one}}};
    const auto* const applications = std::any_cast<ByApplication<S>>(&entry);
    if (!applications) return std::nullopt;
    CounterTable::Structs structs{true, {}};
    for (const auto& [application, one] : *applications) structs.all.emplace_back(application, &one);
    return structs;
  };
  table.to_bytes = [](const std::string& kind, const void* counted) {
    return bytes_of(kind, *static_cast<const S*>(counted));
  };
  table.of_bytes = [](const std::string& kind, std::string_view bytes) -> std::shared_ptr<void> {
    return std::make_shared<S>(from_bytes<S>(kind, bytes));
  };
  counter_tables().add(std::move(table));
}

}  // namespace gputlm
