#include "platform/experiments/srtf/table.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/files/atomic_file.h"
#include "platform/lab/chart_files.h"
#include "platform/lab/metrics.h"

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

Chart chart(const SrtfTable& table, const std::string& axis, Metric metric, double cut) {
  BarChart chart{axis, {}, {}};
  for (const std::string& order : table.orders) chart.series.push_back({order, ""});
  for (std::size_t w = 0; w < table.workloads.size(); ++w) {
    BarChart::Group& group = chart.groups.emplace_back(BarChart::Group{name_of(table.workloads[w]), {}});
    for (const auto& row : table.rows) group.values.push_back(std::min(cut, (row[w].*metric)()));
  }
  return chart;
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

std::string workloads_text(const SrtfTable& table) {
  const auto line = [&](const std::string& name, const auto& cell) {
    std::string text = fmt::format("{:<14}", name);
    for (unsigned metric = 0; metric < 3; ++metric) {
      for (std::size_t row = 0; row < table.orders.size(); ++row) text += cell(metric, row);
      text += ' ';
    }
    return text + '\n';
  };
  std::string text = fmt::format("Kernel orders, from left to right: {}\n", fmt::join(table.orders, ", "));
  text += line("", [](unsigned metric, std::size_t row) {
    constexpr std::array<const char*, 3> kMetrics{"STP", "ANTT", "StrictF"};
    return metric == 1 ? fmt::format("{:>7}", row == 0 ? kMetrics[1] : "")
                       : fmt::format("{:<5}", row == 0 ? kMetrics[metric] : "");
  });
  for (std::size_t w = 0; w < table.workloads.size(); ++w) {
    text += line(name_of(table.workloads[w]), [&](unsigned metric, std::size_t row) {
      const SrtfOutcome& o = table.rows[row][w];
      if (metric == 0) return fmt::format("{:<5.2f}", o.stp());
      return metric == 1 ? fmt::format("{:>7.2f}", o.antt()) : fmt::format("{:>5.2f}", o.strictf());
    });
  }
  return text + '\n';
}

std::string summary_text(const SrtfTable& table) {
  std::string text = fmt::format("{} workloads, geometric means\n{:<20} {:>6} {:>6} {:>9}\n", table.workloads.size(),
                                 "kernel order", "STP", "ANTT", "fairness");
  for (std::size_t row = 0; row < table.orders.size(); ++row) {
    text += fmt::format("{:<20} {:>6.2f} {:>6.2f} {:>9.2f}\n", table.orders[row], table.stp(row), table.antt(row),
                        table.strictf(row));
  }
  return text + '\n';
}

void write_srtf_files(const SrtfTable& table, const std::string& path) {
  std::string csv =
      "workload,kernel_order,first_alone_cycles,second_alone_cycles,first_turnaround_cycles,"
      "second_turnaround_cycles,stp,antt,strictf\n";
  for (std::size_t row = 0; row < table.orders.size(); ++row) {
    for (std::size_t w = 0; w < table.workloads.size(); ++w) {
      const SrtfOutcome& o = table.rows[row][w];
      csv += fmt::format("{},{},{},{},{},{},{:.4f},{:.4f},{:.4f}\n", name_of(table.workloads[w]), table.orders[row],
                         o.alone[0], o.alone[1], o.turnaround[0], o.turnaround[1], o.stp(), o.antt(), o.strictf());
    }
  }
  constexpr double kCut = 10;  // one of 400 would leave nothing to see of the others
  write_file(path + ".csv", csv);
  write_chart(path + "-stp.svg", chart(table, "system throughput (STP)", &SrtfOutcome::stp, kCut));
  write_chart(path + "-antt.svg",
              chart(table, "mean normalised turnaround time (ANTT), cut off at 10", &SrtfOutcome::antt, kCut));
  write_chart(path + "-fairness.svg", chart(table, "fairness (StrictF)", &SrtfOutcome::strictf, kCut));
}

}  // namespace gputlm
