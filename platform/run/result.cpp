#include "platform/run/result.h"

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "platform/run/counters_json.h"
#include "tlm/base/bytes.h"

namespace gputlm {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const CounterTable& table, const std::vector<std::string_view>& structs) {
  return counters_json(*table.layout, table.total(structs).get());
}

/// The object may already contain other counters.
void put(Json& object, const std::string& path, Json json) {
  Json& place = object_at(object, path);
  place.is_object() ? place.update(json) : static_cast<void>(place = std::move(json));
}

}  // namespace

double ipc(const RunResult& result, ApplicationId application) {
  return ipc(result.applications[application].counters.instructions, result.cycles);
}

UnitCounters unit_counters(const Report& report) {
  UnitCounters units;
  for (const CounterTable& table : counter_tables()) {
    if (!table.place.is_given()) continue;
    for (const Report::Entry& entry : report.entries()) {
      for (auto& [application, bytes] : table.bytes(entry.statistics))
        units.entries.push_back({table.name, entry.part, application, std::move(bytes)});
    }
  }
  return units;
}

void place_counters(Json& result, const UnitCounters& units) {
  for (const CounterTable& table : counter_tables()) {
    std::map<std::string, std::vector<std::string_view>> parts;
    std::map<std::uint32_t, std::vector<std::string_view>> applications;
    Json each = Json::array();
    for (const UnitCounters::Entry& entry : units.entries) {
      if (entry.table != table.name) continue;
      if (entry.application) {
        applications[*entry.application].push_back(entry.bytes);
        continue;
      }
      parts[entry.part].push_back(entry.bytes);
      if (!table.place.each.empty()) each.push_back(json_of(table, {entry.bytes}));
    }
    for (const auto& [application, structs] : applications)
      put(result["applications"].at(application), table.place.application, json_of(table, structs));
    for (const auto& [part, structs] : parts) {
      if (table.place.total.empty()) continue;
      put(result, part.empty() ? table.place.total : table.place.total + "." + part, json_of(table, structs));
    }
    if (!each.empty()) put(result, table.place.each, std::move(each));
  }
}

std::string to_bytes(const RunResult& result) { return bytes_of("gputlm run", result); }
RunResult result_from_bytes(std::string_view bytes) { return from_bytes<RunResult>("gputlm run", bytes); }

}  // namespace gputlm
