/// All counters that there are, by what counts them. Whoever counts registers its struct (tlm/counters.h) where it counts:
///
///   GPUTLM_REGISTER { add_counter_table<L2Statistics>("L2 slice", "l2.slices", kRank); }
#pragma once

#include <string>
#include <vector>

#include "tlm/counters.h"
#include "tlm/registry.h"

namespace gputlm {

/// `name`: who counts.
struct CounterTable : Registered {
  std::string place;  ///< in result.json
  std::vector<CounterInfo> counters;
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
  counter_tables().add(std::move(table));
}

}  // namespace gputlm
