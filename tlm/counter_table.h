/// All counters that there are, by what counts them. Whoever counts registers its struct (tlm/counters.h) where it counts:
///
///   GPUTLM_REGISTER { add_counter_table<L2Statistics>("L2 slice", "l2.slices", kRank); }
#pragma once

#include <any>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tlm/counter_sums.h"
#include "tlm/counters.h"
#include "tlm/registry.h"

namespace gputlm {

/// `name`: who counts.
struct CounterTable : Registered {
  std::string place;  ///< in result.json
  std::vector<CounterInfo> counters;
  /// What adds up of an entry of a Report (tlm/report.h), and its names: of the struct itself, or of a std::vector of it by
  /// application. None if the entry is another's.
  std::function<std::optional<CounterRow<std::uint64_t>>(const std::any&)> sums;
  std::function<std::optional<CounterRow<std::string>>(const std::any&)> sum_names;
};

Registry<CounterTable>& counter_tables();

/// `rank`: place in listings, from the SMs to the memory.
template <class S>
void add_counter_table(const std::string& name, const std::string& place, unsigned rank) {
  CounterTable table;
  table.name = name;
  table.rank = rank;
  table.place = place;
  table.counters = counter_list<S>();
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
  counter_tables().add(std::move(table));
}

}  // namespace gputlm
