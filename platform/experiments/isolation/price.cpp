/// The price of isolating a latency-critical service on a GPU: its response times, the throughput left to its co-runners, and
/// the gates required, for every available way. No paper compares them on one model. A way is a variant of the workload, so
/// another one is added there.
#include <fmt/format.h>

#include <algorithm>

#include "models/dram/statistics.h"
#include "platform/input/preset.h"
#include "platform/lab/experiment.h"
#include "platform/lab/figure.h"
#include "platform/lab/metrics.h"
#include "platform/probes/response_groups.h"
#include "platform/run/check_fits.h"
#include "platform/run/responses.h"
#include "platform/share/study.h"

namespace gputlm {

/// workloads/isolation, compiled in by cmake/EmbedPresets.cmake.
const std::vector<PresetSource>& isolation_workload_sources();

namespace {

constexpr const char* kFull = "full";  ///< the variant with all requests; not a way to isolate
constexpr double kConfidenceOfTails = 0.95;

/// Hardware that a way adds to a GPU (reference.yaml), over all blocks.
struct Hardware {
  double nand2 = 0;
  double ns = 0;             ///< longest path, ns
  std::optional<double> pj;  ///< energy of a decision of each, pJ
};

unsigned number_of_units(const std::string& unit, const GpuConfig& config) {
  if (unit == "channel") return config.dram.channels;
  if (unit == "slice") return config.dram.channels * config.l2.slices_per_channel;
  if (unit == "GPC") return (config.sms + config.sms_per_gpc - 1) / config.sms_per_gpc;
  if (unit == "sub-core") return config.sms * config.sm.sub_cores;
  throw std::logic_error("isolation/price knows no unit '" + unit + "'");
}

std::optional<Hardware> hardware_of(const std::string& way, const GpuConfig& config) {
  const Reference& facts = reference("isolation");
  const std::string of_way = "hardware." + way + ".", each = ".each";
  const std::vector<std::string> keys = facts.keys();
  std::optional<Hardware> hardware;
  for (const std::string& key : keys) {
    if (key.rfind(of_way, 0) != 0 || key.size() < each.size() || key.substr(key.size() - each.size()) != each) continue;
    const std::string block = key.substr(0, key.size() - each.size());
    if (!hardware) hardware.emplace();
    hardware->nand2 += facts.number(block + ".nand2") * number_of_units(facts.at(key).text(), config);
    hardware->ns = std::max(hardware->ns, facts.number(block + ".ns"));
    const std::string pj = block + ".pj";
    if (std::find(keys.begin(), keys.end(), pj) != keys.end())
      hardware->pj = hardware->pj.value_or(0) + facts.number(pj);
  }
  return hardware;
}

/// The results of one way.
struct Outcome {
  ResponseGroup service;
  std::vector<double> hogs;  ///< throughput of each hog, relative to alone
  double dram = 0;           ///< share of DRAM cycles that move data
  double issue = 0;          ///< share of issue slots in use
  double mean_hogs() const { return mean(hogs); }
  double missed() const {
    return ratio(static_cast<double>(service.responses.missed), static_cast<double>(service.responses.deadlines));
  }
  Cycle quantile(Quantile q) const { return service.times.at(nearest_rank(service.times.size(), q) - 1); }
};

class Price {
 public:
  explicit Price(const ExperimentOptions& options)
      : plan_(plan("isolation/price", options)), study_(request(options.seed)) {
    study_.run(options.jobs());
  }

  std::vector<std::string> ways() const {
    std::vector<std::string> names;
    for (const SharingWay& way : study_.ways()) names.push_back(way.name);
    return names;
  }
  std::vector<std::string> hogs() const { return plan_.values("hogs"); }
  std::string service() const { return plan_.values("service").at(0); }
  const GpuConfig& config(const std::string& way) const { return study_.together(way).config; }
  double microseconds(Cycle cycles) const {
    return static_cast<double>(cycles) / static_cast<double>(study_.gpu().core_mhz);
  }

  Outcome alone() const { return outcome(study_.alone(number(service())), study_.alone_result(number(service()))); }
  Outcome outcome(const std::string& way) const {
    const RunResult& result = study_.together_result(way);
    Outcome outcome = this->outcome(study_.together(way), result);
    for (const std::string& hog : hogs()) {
      const double alone = ipc(study_.alone_result(number(hog)), 0);
      outcome.hogs.push_back(relative_speed(ipc(result, static_cast<ApplicationId>(number(hog))), alone));
    }
    return outcome;
  }

 private:
  static Outcome outcome(const Run& run, const RunResult& result) {
    Outcome outcome;
    outcome.service = all_responses(result, run.workload, Clock::from_mhz(run.config.core_mhz)).tasks.at(0);
    const auto dram = result.units.total<DramStatistics>();
    for (const auto& application : dram.applications) outcome.dram += static_cast<double>(application.useful);
    outcome.dram /= static_cast<double>(dram.cycles);
    std::uint64_t instructions = 0;
    for (const ApplicationRecord& application : result.applications) instructions += application.counters.instructions;
    outcome.issue = ratio(static_cast<double>(instructions),
                          static_cast<double>(result.cycles) * run.config.sms * run.config.sm.sub_cores);
    return outcome;
  }
  std::size_t number(const std::string& program) const {
    const auto& programs = study_.programs();
    const auto found =
        std::find_if(programs.begin(), programs.end(), [&](const SharedProgram& one) { return one.name == program; });
    return static_cast<std::size_t>(found - programs.begin());
  }
  ShareRequest request(std::uint64_t seed) const {
    ShareRequest request;
    request.workload = isolation_workload_sources().front().yaml;
    request.gpu = plan_.gpu();
    for (const auto& [key, value] : plan_.settings()) request.settings.push_back(key + "=" + value);
    request.seed = seed;
    request.memory = default_memory_limit();
    request.no_way = kFull;
    request.everywhere = plan_.values("length").at(0) == kFull;
    return request;
  }

  Study plan_;
  ShareStudy study_;
};

void add_table(const Price& price, ExperimentReport& report) {
  std::vector<TableColumn> columns{{"way"},
                                   {"p50_us", "us", "Median response time of the service", "p50", 1},
                                   {"p99_us", "us", "Its 99th percentile", "p99", 1},
                                   {"p999_us", "us", "Its 99.9th percentile", "p99.9", 1},
                                   {"p999_low_us", "us", "Lower bound with 95 % confidence", "at least", 1},
                                   {"missed", "%", "Requests that took longer than their deadline", "missed", 1}};
  for (const std::string& hog : price.hogs())
    columns.push_back({hog, "%", "What `" + hog + "` gets done, of what it does alone", "", 0});
  columns.insert(columns.end(),
                 {{"dram", "%", "DRAM cycles in which data moves", "DRAM", 0},
                  {"issue", "%", "Issue slots that are used", "issue", 0},
                  {"nand2", "", "Gates that the GPU gets for it, in NAND2", "NAND2", 0},
                  {"ns", "ns", "Longest path of the block that is added", "", 2},
                  {"pj", "pJ", "Energy of a decision; if several blocks are added, of one of each", "pJ", 0}});
  Table table(columns);
  const auto add = [&](const std::string& name, const Outcome& o, const std::optional<Hardware>& hardware) {
    const auto us = [&](Quantile q) { return price.microseconds(o.quantile(q)); };
    const auto ranks = quantile_ranks(o.service.times.size(), {999, 1000}, kConfidenceOfTails);
    std::vector<Cell> row{name,
                          us({1, 2}),
                          us({99, 100}),
                          us({999, 1000}),
                          ranks ? Cell(price.microseconds(o.service.times.at(ranks->low - 1))) : Cell(),
                          100 * o.missed()};
    for (std::size_t h = 0; h < price.hogs().size(); ++h)
      row.push_back(h < o.hogs.size() ? Cell(100 * o.hogs[h]) : Cell());
    row.insert(row.end(), {100 * o.dram, 100 * o.issue});
    if (hardware) {
      row.insert(row.end(), {hardware->nand2, hardware->ns, hardware->pj});
    } else {
      row.resize(columns.size());
    }
    table.add(std::move(row));
  };
  add("alone", price.alone(), std::nullopt);
  for (const std::string& way : price.ways()) add(way, price.outcome(way), hardware_of(way, price.config(way)));
  report.tables.push_back({fmt::format("{} requests of the service beside {}", price.alone().service.responses.jobs,
                                       fmt::join(price.hogs(), " and ")),
                           table});
}

void add_chart(const Price& price, ExperimentReport& report) {
  LabelledChart chart{"What the hogs get done, % of what they do alone (mean)",
                      "99th percentile of the service over alone",
                      {{"a setting", {}}, {"gates are added", {}}}};
  const double alone = static_cast<double>(price.alone().quantile({99, 100}));
  for (const std::string& way : price.ways()) {
    const Outcome o = price.outcome(way);
    const bool gates = hardware_of(way, price.config(way)).has_value();
    chart.series[gates ? 1 : 0].points.push_back(
        {100 * o.mean_hogs(), static_cast<double>(o.quantile({99, 100})) / alone, way});
  }
  report.charts.push_back({std::move(chart)});
}

void add_figures(const Price& price, const ExperimentOptions& options, ExperimentReport& report) {
  const auto p99 = [&](const std::string& way) {
    return static_cast<double>(price.outcome(options.policy(way)).quantile({99, 100}));
  };
  std::uint64_t all = 0;
  const std::uint64_t requests = price.alone().service.responses.jobs;
  for (const std::string& way : price.ways()) all += price.outcome(way).service.responses.jobs == requests;
  report.all("ways under which every request is served", all, price.ways().size());
  const auto less = [&](const std::string& name, double value, Band band, const char* why) {
    report.figures.push_back({name, "less", Quantity::number(value, 3), std::move(band), why});
  };
  for (const char* way : {"priorities", "instances"}) {
    less(fmt::format("{}: p99 over nothing", way), p99(way) / p99("nothing"), Band::below(1),
         "What it is for: the service waits for less of the others.");
  }
  less("instances: p99 over priorities", p99("instances") / p99("priorities"), Band::below(1),
       "A priority waits for blocks that run, and shares caches and memory; an instance shares neither.");
  less("instances: hogs over nothing",
       price.outcome(options.policy("instances")).mean_hogs() / price.outcome("nothing").mean_hogs(), Band::below(1.1),
       "What is kept for the service is lost to the others while it has no work.");
}

ExperimentReport isolation_price(const ExperimentOptions& options) {
  ExperimentOptions all = options;  // the runs of all ways, so that a replaced way need not run
  all.instead.clear();
  const Price price(all);
  ExperimentReport report{"isolation"};
  add_table(price, report);
  add_chart(price, report);
  add_figures(price, options, report);
  return report;
}

GPUTLM_REGISTER { add_experiment("isolation/price", isolation_price, {"service", "hogs", "length"}); }

}  // namespace
}  // namespace gputlm
