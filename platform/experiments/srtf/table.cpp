#include "platform/experiments/srtf/table.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/lab/metrics.h"
#include "platform/lab/table_views.h"

namespace gputlm {
namespace {

using Metric = double (SrtfOutcome::*)() const;

double mean_of(const std::vector<SrtfOutcome>& row, Metric metric) {
  std::vector<double> values;
  values.reserve(row.size());
  for (const SrtfOutcome& outcome : row) values.push_back((outcome.*metric)());
  return geometric_mean(values);
}

/// The shorter kernel's turnaround first, for a workload that launches them the other way round.
SrtfOutcome swapped(SrtfOutcome outcome) {
  std::swap(outcome.alone[0], outcome.alone[1]);
  std::swap(outcome.turnaround[0], outcome.turnaround[1]);
  std::swap(outcome.launches[0], outcome.launches[1]);
  return outcome;
}

}  // namespace

double SrtfTable::stp(std::size_t row) const { return mean_of(rows[row], &SrtfOutcome::stp); }
double SrtfTable::antt(std::size_t row) const { return mean_of(rows[row], &SrtfOutcome::antt); }
double SrtfTable::strictf(std::size_t row) const { return mean_of(rows[row], &SrtfOutcome::strictf); }

SrtfTable run_srtf_table(SrtfRuns& runs, const std::vector<std::string>& orders,
                         const std::function<Cycle(std::size_t first)>& apart) {
  SrtfTable table{orders, {}, {}};
  for (const SrtfPair& pair : runs.pairs()) {
    table.workloads.push_back(pair);
    table.workloads.push_back({pair[1], pair[0]});
  }
  const auto launched = [&](const SrtfPair& workload, const std::string& order) {
    SrtfPair pair = workload;
    if (order == "sjf") {
      std::sort(pair.begin(), pair.end());
      if (runs.alone_cycles(pair[1]) < runs.alone_cycles(pair[0])) std::swap(pair[0], pair[1]);
    }
    return SrtfRun{pair, order, apart(pair[0])};
  };
  for (const std::string& order : orders) {
    for (const SrtfPair& workload : table.workloads) runs.add(launched(workload, order));
  }
  runs.run();
  for (const std::string& order : orders) {
    std::vector<SrtfOutcome>& row = table.rows.emplace_back();
    for (const SrtfPair& workload : table.workloads) {
      const SrtfRun run = launched(workload, order);
      row.push_back(run.pair == workload ? runs[run] : swapped(runs[run]));
    }
  }
  return table;
}

Table srtf_means() {
  return Table({{"kernel_order", "", "", "kernel order"},
                {"stp", "", "System throughput", "STP", 2},
                {"antt", "", "Mean normalised turnaround time", "ANTT", 2},
                {"strictf", "", "StrictF", "fairness", 2}});
}

void add_srtf_table(ExperimentReport& report, const SrtfTable& table, const std::string& name,
                    const std::string& when) {
  const auto file = [&](const char* what) { return name + (name.empty() || !*what ? "" : "-") + what; };
  Table means = srtf_means();
  Table all({{"workload"},
             {"kernel_order", "", "", "kernel order"},
             {"first_alone_cycles", "core cycles"},
             {"second_alone_cycles", "core cycles"},
             {"first_turnaround_cycles", "core cycles"},
             {"second_turnaround_cycles", "core cycles"},
             {"stp", "", "system throughput (STP)", "", 2},
             {"antt", "", "mean normalised turnaround time (ANTT)", "", 2},
             {"strictf", "", "fairness (StrictF)", "", 2}});
  for (std::size_t row = 0; row < table.orders.size(); ++row) {
    means.add({table.orders[row], table.stp(row), table.antt(row), table.strictf(row)});
    for (std::size_t w = 0; w < table.workloads.size(); ++w) {
      const SrtfOutcome& o = table.rows[row][w];
      all.add({name_of(table.workloads[w]), table.orders[row], o.alone[0], o.alone[1], o.turnaround[0], o.turnaround[1],
               o.stp(), o.antt(), o.strictf()});
    }
  }
  report.tables.push_back(
      {fmt::format("{} workloads{}, geometric means", table.workloads.size(), when), std::move(means), file("means")});
  for (const char* metric : {"stp", "antt", "strictf"}) {
    constexpr double kCut = 10;  // one of 400 would leave nothing to see of the others
    const Table by_order = pivot(all, {"workload"}, "kernel_order", {metric});
    std::vector<std::string> bars;
    for (std::size_t i = 1; i < by_order.columns().size(); ++i) bars.push_back(by_order.columns()[i].name);
    const std::string& meaning = all.columns()[all.column(metric)].meaning;
    report.charts.push_back({bar_chart(by_order, meaning, {"workload"}, bars, kCut), file(metric)});
    report.tables.push_back({"Each workload" + when + ": " + meaning, by_order, file(metric)});
  }
  report.tables.push_back({"", std::move(all), name});
}

}  // namespace gputlm
