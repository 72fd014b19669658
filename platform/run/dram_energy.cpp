#include "platform/run/dram_energy.h"

#include <nlohmann/json.hpp>

#include "platform/files/rows.h"

namespace gputlm {
namespace {

struct DramEnergyRow {
  const DramEnergyAccount& account;

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = DramEnergyRow;
    const Value energy{"pJ"};
    v.field([](const R& r) { return r.account.activate; }, "activate_pj", energy, "Activates and their precharges");
    v.field([](const R& r) { return r.account.read; }, "read_pj", energy, "Bursts that were read");
    v.field([](const R& r) { return r.account.write; }, "write_pj", energy, "Bursts that were written");
    v.field([](const R& r) { return r.account.refresh; }, "refresh_pj", energy, "Refreshes");
    v.field([](const R& r) { return r.account.background; }, "background_pj", energy,
            "What the channels take whatever they do, over the cycles looked at");
    v.field([](const R& r) { return r.account.total(); }, "total_pj", energy, "The sum of these");
    v.field([](const R& r) { return r.account.per_bit(); }, "pj_per_bit", Value{"pJ"},
            "`total_pj` over the bits that were moved");
  }
};

GPUTLM_REGISTER {
  add_row_table<DramEnergyRow>("result.json: dram, energy; memory.json: energy",
                               "Only with the parameters `dram.energy`. In result.json an application has the "
                               "`data_pj` of its bursts");
}

}  // namespace

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
