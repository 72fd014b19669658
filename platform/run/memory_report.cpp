#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "platform/files/rows.h"
#include "platform/files/table.h"
#include "platform/input/parameters.h"
#include "platform/run/counters_json.h"
#include "platform/run/memory_run.h"

namespace gputlm {
namespace {

using Json = nlohmann::ordered_json;

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0.0; }

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{:.1f} %", 100 * ratio(static_cast<double>(part), static_cast<double>(whole)));
}

/// The first fields of memory.json.
struct MemoryRow {
  const MemoryResult& result;
  const MemoryFigures& figures;
  const std::string &trace, &device;
  std::uint64_t seed;

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = MemoryRow;
    v.field([](const R&) { return "gputlm-memory-1"; }, "schema", Value{},
            "Version; changes when a key changes its meaning or disappears");
    v.field([](const R& r) { return r.result.state == RunState::kComplete; }, "complete", Value{},
            "Whether every access was answered");
    v.field([](const R& r) { return to_string(r.result.state); }, "state", Value{}, "As in result.json");
    v.field([](const R& r) -> const std::string& { return r.trace; }, "trace", Value{}, "Trace that was played");
    v.field(&R::seed, "seed", Value{}, "`--seed`");
    v.field([](const R& r) -> const std::string& { return r.device; }, "device", Value{}, "`--dram`");
    v.field([](const R& r) { return r.result.answered; }, "accesses", Value{"accesses"}, "Number of accesses answered");
    v.field([](const R& r) { return r.result.cycles; }, "cycles", Value{"command cycles"},
            "Time at which the last data had been moved, or the last cycle of the run");
    v.field([](const R& r) { return r.figures.nanoseconds; }, "nanoseconds", Value{"ns"}, "`cycles` as a time");
    v.field([](const R& r) { return r.figures.gigabytes_per_second; }, "gigabytes_per_second", Value{"GB/s"},
            "Data rate");
    v.field([](const R& r) { return r.figures.peak; }, "peak_gigabytes_per_second", Value{"GB/s"},
            "Maximum data rate of the device");
    v.field([](const R& r) { return r.figures.cycles_per_burst; }, "cycles_per_burst", Value{"command cycles a burst"},
            "Cycles of a channel per burst, including idle ones");
    v.record([](const R& r) { return r.result.latency(); }, "latency", "Latency of all applications together");
  }
};

GPUTLM_REGISTER {
  add_row_table<MemoryRow>("memory.json",
                           "The first fields, from `gputlm mem`; `latency` of an application has the same form");
}

Json application_json(const ApplicationLatency& latency, const DramApplicationStatistics& s, Bytes burst) {
  Json json{{"latency", row_json(latency)}};
  json.update(dram_json(s, burst));
  return json;
}

bool empty(const ApplicationLatency& latency) { return latency.reads.count() + latency.writes.count() == 0; }

/// One line of the table of latencies; empty without accesses.
std::string latency_line(const std::string& name, const LatencyDistribution& latency, double cycle_ns) {
  if (latency.count() == 0) return "";
  return fmt::format("{:<22} {:>12} {:>10.1f} {:>10.1f} {:>8} {:>8} {:>8} {:>8}\n", name, latency.count(),
                     latency.mean() * cycle_ns, latency.mean(), latency.least(), latency.quantile(50, 100),
                     latency.quantile(99, 100), latency.most());
}

std::string latency_lines(const std::string& name, const ApplicationLatency& latency, double cycle_ns) {
  return latency_line(name + "reads", latency.reads, cycle_ns) +
         latency_line(name + "writes", latency.writes, cycle_ns);
}

/// Each cause with its share, the largest first; zero shares are left out.
std::string causes(const DramStatistics& s) {
  std::vector<std::size_t> order;
  for (std::size_t w = 0; w < kDramWaits; ++w) {
    if (s.wasted_by[w] > 0) order.push_back(w);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return s.wasted_by[a] > s.wasted_by[b]; });
  std::string text;
  for (const std::size_t w : order) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name_of(static_cast<DramWait>(w)),
                        percent(s.wasted_by[w], s.cycles));
  }
  return text.empty() ? "" : " (" + text + ")";
}

std::string shares(const DramStatistics& s) {
  std::string text;
  for (std::size_t a = 0; a < s.applications.size(); ++a) {
    if (s.applications[a].useful == 0) continue;
    text +=
        fmt::format("{}application {} {}", text.empty() ? "" : ", ", a, percent(s.applications[a].useful, s.cycles));
  }
  return s.applications.size() < 2 ? "" : " (" + text + ")";
}

}  // namespace

MemoryFigures::MemoryFigures(const MemoryResult& result, const DramConfig& dram)
    : nanoseconds(static_cast<double>(Clock::from_mhz(dram.command_mhz).edge(result.cycles)) / 1e6) {
  for (const DramStatistics& channel : result.channels) total += channel;
  const auto bursts = static_cast<double>(total.reads + total.writes);
  const double cycle_ns = static_cast<double>(Clock::from_mhz(dram.command_mhz).period()) / 1e6;
  gigabytes_per_second = ratio(bursts * dram.burst_bytes, nanoseconds);
  peak = static_cast<double>(dram.burst_bytes * dram.channels) / (burst_cycles(dram) * cycle_ns);
  cycles_per_burst = ratio(static_cast<double>(result.cycles * dram.channels), bursts);
}

nlohmann::ordered_json to_json(const MemoryResult& result, const MemorySystem& system, const std::string& device,
                               const std::string& trace, std::uint64_t seed) {
  const MemoryFigures figures(result, system.dram);
  Json json = row_json(MemoryRow{result, figures, trace, device, seed});
  json["applications"] = Json::object();
  for (std::size_t a = 0; a < result.latencies.size(); ++a) {
    if (empty(result.latencies[a])) continue;
    json["applications"][std::to_string(a)] =
        application_json(result.latencies[a], figures.total.applications[a], system.dram.burst_bytes);
  }
  json["total"] = counters_json(figures.total);
  json["channels"] = Json::array();
  for (const DramStatistics& channel : result.channels) json["channels"].push_back(counters_json(channel));
  if (system.dram.energy.known()) json["energy"] = to_json(dram_energy(figures.total, system.dram));
  json["player"] = {{"bytes", system.player.bytes},
                    {"outstanding", system.player.outstanding},
                    {"interval", system.player.interval},
                    {"trace_mhz", system.player.trace_mhz}};
  json["policies"] = policies_json(result.policies);
  GpuConfig config;
  config.dram = system.dram;
  config.address_map = system.address_map;
  const Json all = to_json(config);
  json["configuration"] = {{"address_map", all.at("address_map")}, {"dram", all.at("dram")}};
  return json;
}

std::string summary(const MemoryResult& result, const MemorySystem& system, const std::string& device,
                    const std::string& trace) {
  const DramConfig& dram = system.dram;
  const MemoryFigures figures(result, dram);
  const DramStatistics& total = figures.total;
  const std::uint64_t rows = total.row_hits + total.row_misses + total.row_conflicts;
  // If lines are long, the rest is aligned below.
  const auto line = [](const std::string& name, const std::string& what) {
    constexpr std::size_t kPlace = 13;
    std::string lines;
    for (const std::string& part : wrapped(what, kTextWidth - kPlace))
      lines += padded(lines.empty() ? name : "", kPlace) + part + "\n";
    return lines;
  };
  std::string text = fmt::format(
      "{} on {}: {} channel{} of {} banks, {}, queue {}\n\n"
      "accesses     {} ({} bytes each)\n"
      "time         {} cycles, {:.3f} us; {:.3f} cycles a burst\n"
      "bandwidth    {:.2f} GB/s, {:.1f} % of {:.2f}\n"
      "rows         {} hit, {} miss, {} conflict\n"
      "commands     {} ACT, {} PRE, {} RD, {} WR, {} REF; {} bus turns\n"
      "banks        {:.2f} at work on average\n"
      "{}{}             idle {}\n",
      abridged(trace, 40), abridged(device, 30), dram.channels, dram.channels == 1 ? "" : "s", dram.banks,
      dram.scheduler, dram.queue, result.answered, system.player.bytes, result.cycles, figures.nanoseconds / 1e3,
      figures.cycles_per_burst, figures.gigabytes_per_second, 100 * ratio(figures.gigabytes_per_second, figures.peak),
      figures.peak, percent(total.row_hits, rows), percent(total.row_misses, rows), percent(total.row_conflicts, rows),
      total.activates, total.precharges, total.reads, total.writes, total.refreshes, total.turns,
      total.bank_parallelism(), line("data bus", "useful " + percent(total.useful, total.cycles) + shares(total)),
      line("", "wasted " + percent(total.wasted, total.cycles) + causes(total)), percent(total.idle, total.cycles));

  const double cycle_ns = static_cast<double>(Clock::from_mhz(dram.command_mhz).period()) / 1e6;
  text += fmt::format("\n{:<22} {:>12} {:>10} {:>10} {:>8} {:>8} {:>8} {:>8}\n", "latency", "accesses", "mean [ns]",
                      "mean [CK]", "min", "p50", "p99", "max");
  text += latency_lines("", result.latency(), cycle_ns);
  if (result.latencies.size() < 2) return text;
  for (std::size_t a = 0; a < result.latencies.size(); ++a) {
    text += latency_lines(fmt::format("application {} ", a), result.latencies[a], cycle_ns);
  }
  return text;
}

}  // namespace gputlm
