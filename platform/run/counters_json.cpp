#include "platform/run/counters_json.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "platform/files/rows.h"

namespace gputlm {
namespace {

using Json = nlohmann::ordered_json;

/// Adds members without a search: each name occurs once.
class Adding {
 public:
  explicit Adding(Json& json) : json_(json), object_(&json) {}
  Json& operator()(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    const std::string_view path = name.substr(0, dot == std::string_view::npos ? 0 : dot);
    if (path != path_) object_ = path.empty() ? &json_ : &object_at(json_, path);
    path_ = path;
    if (object_->is_null()) *object_ = Json::object();
    return object_->get_ref<Json::object_t&>().emplace_back(name.substr(path.empty() ? 0 : dot + 1), nullptr).second;
  }

 private:
  Json& json_;
  Json* object_;           ///< object at `path_`
  std::string_view path_;  ///< path of the last name
};

Json value_of(const Counter& counter, const void* counted) {
  if (!counter.vector) {
    const std::uint64_t value = counter.value(counted);
    if (counter.kind != Counter::Kind::kRatio) return value;
    const std::uint64_t whole = counter.value_of_whole(counted);
    return whole ? static_cast<double>(value) / static_cast<double>(whole) : 0.0;
  }
  Json list = Json::array();
  for (const void* const element : counter.vector->elements(counter.in(counted))) {
    const CounterLayout* const layout = counter.vector->layout;
    list.push_back(layout ? counters_json(*layout, element) : Json(*static_cast<const std::uint64_t*>(element)));
  }
  return list;
}

struct DramEnergyRow {
  const DramEnergyAccount& account;

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = DramEnergyRow;
    const Value energy{"pJ"};
    v.field([](const R& r) { return r.account.activate; }, "activate_pj", energy,
            "Energy of activates and their precharges");
    v.field([](const R& r) { return r.account.read; }, "read_pj", energy, "Energy of read bursts");
    v.field([](const R& r) { return r.account.write; }, "write_pj", energy, "Energy of written bursts");
    v.field([](const R& r) { return r.account.refresh; }, "refresh_pj", energy, "Energy of refreshes");
    v.field([](const R& r) { return r.account.background; }, "background_pj", energy,
            "Background energy of the channels over the counted cycles");
    v.field([](const R& r) { return r.account.total(); }, "total_pj", energy, "Sum of these");
    v.field([](const R& r) { return r.account.per_bit(); }, "pj_per_bit", Value{"pJ"},
            "`total_pj` divided by the bits moved");
  }
};

GPUTLM_REGISTER {
  add_row_table<DramEnergyRow>("result.json: dram, energy; memory.json: energy",
                               "Only with the parameters `dram.energy`. In result.json an application has the "
                               "`data_pj` of its bursts");
}

}  // namespace

Json counters_json(const CounterLayout& layout, const void* counted) {
  auto json = Json::object();
  Adding add(json);
  for (const Counter& counter : layout.counters) add(counter.name) = value_of(counter, counted);
  return json;
}

nlohmann::ordered_json dram_json(const DramApplicationStatistics& s, Bytes burst) {
  nlohmann::ordered_json json{{"read_bytes", s.reads * burst}, {"written_bytes", s.writes * burst}};
  json.update(counters_json(s));
  return json;
}

nlohmann::ordered_json policies_json(const std::vector<PolicyRecord>& policies) {
  auto json = nlohmann::ordered_json::object();
  for (const PolicyRecord& record : policies) {
    json[record.parameter]["name"] = record.policy;
    for (const PolicyCount& count : record.counters) json[record.parameter]["counters"][count.name] = count.value;
  }
  return json;
}

DramEnergyAccount dram_energy(const DramStatistics& total, const DramConfig& config) {
  const DramEnergy& of = config.energy;
  const auto times = [](std::uint64_t count, double energy) { return static_cast<double>(count) * energy; };
  DramEnergyAccount account;
  account.activate = times(total.activates, of.activate_pj);
  account.read = times(total.reads, of.read_pj);
  account.write = times(total.writes, of.write_pj);
  account.refresh = times(total.refreshes, of.refresh_pj);
  account.background = times(total.cycles, of.background_mw * 1e3 / config.command_mhz);  // mW ns is pJ
  account.bits = times(total.reads + total.writes, 8.0 * config.burst_bytes);
  return account;
}

double data_energy(const DramApplicationStatistics& application, const DramConfig& config) {
  return static_cast<double>(application.reads) * config.energy.read_pj +
         static_cast<double>(application.writes) * config.energy.write_pj;
}

nlohmann::ordered_json to_json(const DramEnergyAccount& account) { return row_json(DramEnergyRow{account}); }

}  // namespace gputlm
