#include "platform/run/dram_json.h"

#include <nlohmann/json.hpp>

namespace gputlm {
namespace {

using Json = nlohmann::ordered_json;

Json row_outcomes_json(std::uint64_t hits, std::uint64_t misses, std::uint64_t conflicts) {
  return {{"row_hits", hits}, {"row_misses", misses}, {"row_conflicts", conflicts}};
}

}  // namespace

Json dram_json(const DramStatistics& s) {
  Json json{{"activates", s.activates},
            {"precharges", s.precharges},
            {"refreshes", s.refreshes},
            {"reads", s.reads},
            {"writes", s.writes}};
  json.update(row_outcomes_json(s.row_hits, s.row_misses, s.row_conflicts));
  json["data_cycles"] = s.data_cycles;
  json["bus_turns"] = s.turns;
  json["bank_parallelism"] = s.bank_parallelism();
  Json wasted_by;
  for (std::size_t i = 0; i < kDramWaits; ++i) wasted_by[name_of(static_cast<DramWait>(i))] = s.wasted_by[i];
  json["cycles"] = {
      {"total", s.cycles}, {"useful", s.useful}, {"wasted", s.wasted}, {"idle", s.idle}, {"wasted_by", wasted_by}};
  return json;
}

Json dram_json_with_banks(const DramStatistics& s) {
  Json json = dram_json(s);
  for (const DramBankStatistics& bank : s.banks) {
    json["banks"].push_back({{"activates", bank.activates}, {"reads", bank.reads}, {"writes", bank.writes}});
  }
  return json;
}

Json dram_json(const DramApplicationStatistics& s, Bytes burst) {
  Json json{{"read_bytes", s.reads * burst}, {"written_bytes", s.writes * burst}, {"useful_cycles", s.useful}};
  json.update(row_outcomes_json(s.rows.hits, s.rows.misses, s.rows.conflicts));
  return json;
}

}  // namespace gputlm
