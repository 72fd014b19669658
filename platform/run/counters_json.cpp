#include "platform/run/counters_json.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "platform/files/rows.h"

namespace gputlm {
namespace {

using Json = nlohmann::ordered_json;

class ToJson final : public CounterVisitor {
 public:
  explicit ToJson(Json& json) : open_{&json} {}
  void counter(const char* name, std::uint64_t value) override { add(name) = value; }
  void counters(const char* name, const std::vector<std::uint64_t>& values) override { add(name) = values; }
  void ratio(const char* name, std::uint64_t part, std::uint64_t whole) override {
    add(name) = whole ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
  }
  void begin(const char* name) override {
    Json& object = object_at(*open_.back(), name);
    if (object.is_null()) object = Json::object();
    open_.push_back(&object);
  }
  void begin_list(const char* name) override { open_.push_back(&(add(name) = Json::array())); }
  void begin_item() override {
    open_.back()->push_back(Json::object());
    open_.push_back(&open_.back()->back());
  }
  void end() override { open_.pop_back(); }

 private:
  /// Adds a member without a search: each name occurs once.
  Json& add(std::string_view path) {
    Json* json = open_.back();
    if (const std::size_t dot = path.rfind('.'); dot != std::string_view::npos) {
      json = &object_at(*json, path.substr(0, dot));
      path.remove_prefix(dot + 1);
    }
    if (json->is_null()) *json = Json::object();
    return json->get_ref<Json::object_t&>().emplace_back(path, nullptr).second;
  }

  std::vector<Json*> open_;  ///< the object or list being filled, behind its parents
};

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

Json counters_json(const std::function<void(CounterVisitor&)>& tell) {
  auto json = Json::object();
  ToJson to(json);
  tell(to);
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
