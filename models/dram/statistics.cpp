#include "models/dram/statistics.h"

#include <algorithm>

namespace gputlm {

const char* name_of(DramWait wait) {
  static constexpr const char* kNames[kDramWaits] = {"row",     "activates", "column",    "turn",
                                                     "refresh", "latency",   "responses", "open"};
  return kNames[static_cast<std::size_t>(wait)];
}

DramStatistics& operator+=(DramStatistics& a, const DramStatistics& b) {
  a.activates += b.activates;
  a.precharges += b.precharges;
  a.refreshes += b.refreshes;
  a.reads += b.reads;
  a.writes += b.writes;
  a.row_hits += b.row_hits;
  a.row_misses += b.row_misses;
  a.row_conflicts += b.row_conflicts;
  a.data_cycles += b.data_cycles;
  a.turns += b.turns;
  a.last_data = std::max(a.last_data, b.last_data);
  if (a.applications.size() < b.applications.size()) a.applications.resize(b.applications.size());
  for (std::size_t i = 0; i < b.applications.size(); ++i) {
    a.applications[i].reads += b.applications[i].reads;
    a.applications[i].writes += b.applications[i].writes;
    a.applications[i].rows.hits += b.applications[i].rows.hits;
    a.applications[i].rows.misses += b.applications[i].rows.misses;
    a.applications[i].rows.conflicts += b.applications[i].rows.conflicts;
    a.applications[i].useful += b.applications[i].useful;
  }
  if (a.banks.size() < b.banks.size()) a.banks.resize(b.banks.size());
  for (std::size_t i = 0; i < b.banks.size(); ++i) {
    a.banks[i].activates += b.banks[i].activates;
    a.banks[i].reads += b.banks[i].reads;
    a.banks[i].writes += b.banks[i].writes;
  }
  a.cycles += b.cycles;
  a.useful += b.useful;
  a.wasted += b.wasted;
  a.idle += b.idle;
  for (std::size_t i = 0; i < kDramWaits; ++i) a.wasted_by[i] += b.wasted_by[i];
  a.bank_cycles += b.bank_cycles;
  a.any_bank_cycles += b.any_bank_cycles;
  return a;
}

}  // namespace gputlm
