#include "platform/experiments/fr_rr_fcfs/tables.h"

#include <fmt/format.h>

namespace gputlm {
namespace {

/// A bar of figure 4: shares of DRAM cycles.
struct Bar {
  std::string label;
  double first = 0, second = 0, wasted = 0, idle = 0;
};

/// `place`: 0 if the application is the workload's first, 1 if it is the second.
Bar alone_bar(const std::string& label, const MemoryOutcome& o, unsigned place) {
  return {label, place == 0 ? o.useful() : 0, place == 1 ? o.useful() : 0, o.wasted, o.idle};
}
Bar shared_bar(const std::string& label, const MemoryOutcome& o) {
  return {label, o.applications[0].useful, o.applications[1].useful, o.wasted, o.idle};
}

std::vector<Bar> bars(const AloneOutcomes& alone, const WorkloadOutcome& w) {
  std::vector<Bar> all;
  for (unsigned place : {0u, 1u}) {
    const std::string& name = place == 0 ? w.first : w.second;
    const AloneOutcome& a = alone.at(name);
    all.push_back(alone_bar(name + " alone 60", a.on_60, place));
    all.push_back(alone_bar(name + " alone 30", a.on_30, place));
  }
  all.push_back(shared_bar("fr_fcfs", w.fr_fcfs));
  all.push_back(shared_bar("fr_rr_fcfs", w.fr_rr_fcfs));
  return all;
}

std::string csv_line(const std::string& name, const std::string& scheduler, unsigned sms, const MemoryOutcome& o,
                     const Metrics* m) {
  const bool two = o.applications.size() > 1;
  std::string line = fmt::format(
      "{},{},{},{},{:.4f},{},{:.4f},{:.4f},{:.4f},{:.4f},{:.2f},{}", name, scheduler, sms, o.cycles,
      o.applications[0].useful, two ? fmt::format("{:.4f}", o.applications[1].useful) : "", o.wasted, o.idle,
      o.row_hit_rate, o.useful(), o.applications[0].ipc, two ? fmt::format("{:.2f}", o.applications[1].ipc) : "");
  line += m ? fmt::format(",{:.4f},{:.4f},{:.4f},{:.4f}\n", m->slowdown[0], m->slowdown[1], m->weighted_speedup,
                          m->fairness_index)
            : ",,,,\n";
  return line;
}

}  // namespace

std::string metrics_table(const WorkloadOutcomes& workloads) {
  std::string text = fmt::format("{:<12} {:^31}   {:^31}   {:^17}\n", "", "fr_fcfs", "fr_rr_fcfs", "fr_rr over fr");
  text += fmt::format("{:<12} {:>5} {:>5} {:>6} {:>6} {:>5}   {:>5} {:>5} {:>6} {:>6} {:>5}   {:>5} {:>5} {:>5}\n",
                      "workload", "1st", "2nd", "WS", "FI", "hits", "1st", "2nd", "WS", "FI", "hits", "IT", "WS", "FI");
  for (const WorkloadOutcome& w : workloads) {
    const Metrics &a = w.fr_fcfs_metrics, &b = w.fr_rr_fcfs_metrics;
    text += fmt::format(
        "{:<12} {:>5.2f} {:>5.2f} {:>6.2f} {:>6.2f} {:>5.3f}   {:>5.2f} {:>5.2f} {:>6.2f} {:>6.2f} {:>5.3f}   "
        "{:>5.2f} {:>5.2f} {:>5.2f}\n",
        w.name(), a.slowdown[0], a.slowdown[1], a.weighted_speedup, a.fairness_index, w.fr_fcfs.row_hit_rate,
        b.slowdown[0], b.slowdown[1], b.weighted_speedup, b.fairness_index, w.fr_rr_fcfs.row_hit_rate,
        b.instructions / a.instructions, b.weighted_speedup / a.weighted_speedup, b.fairness_index / a.fairness_index);
  }
  return text +
         "1st, 2nd: IPC shared over IPC alone; WS: weighted speedup; FI: fairness index; IT: instruction throughput; "
         "hits: page hit rate\n";
}

std::string bandwidth_table(const AloneOutcomes& alone, const WorkloadOutcomes& workloads) {
  std::string text =
      fmt::format("{:<12} {:<15} {:>6} {:>6} {:>7} {:>6}\n", "workload", "", "1st", "2nd", "wasted", "idle");
  for (const WorkloadOutcome& w : workloads) {
    std::string name = w.name();
    for (const Bar& bar : bars(alone, w)) {
      text += fmt::format("{:<12} {:<15} {:>6.3f} {:>6.3f} {:>7.3f} {:>6.3f}\n", name, bar.label, bar.first, bar.second,
                          bar.wasted, bar.idle);
      name.clear();
    }
  }
  return text;
}

std::string csv(const AloneOutcomes& alone, const WorkloadOutcomes& workloads) {
  std::string text =
      "workload,scheduler,sms,cycles,useful_1,useful_2,wasted,idle,row_hit_rate,useful,ipc_1,ipc_2,slowdown_1,"
      "slowdown_2,weighted_speedup,fairness_index\n";
  for (const auto& [name, a] : alone) {
    text += csv_line(name, "fr_fcfs", 60, a.on_60, nullptr);
    text += csv_line(name, "fr_fcfs", 30, a.on_30, nullptr);
  }
  for (const WorkloadOutcome& w : workloads) {
    text += csv_line(w.name(), "fr_fcfs", 60, w.fr_fcfs, &w.fr_fcfs_metrics);
    text += csv_line(w.name(), "fr_rr_fcfs", 60, w.fr_rr_fcfs, &w.fr_rr_fcfs_metrics);
  }
  return text;
}

Chart bandwidth_chart(const AloneOutcomes& alone, const WorkloadOutcomes& workloads) {
  StackedBarChart chart{"share of DRAM cycles",
                        {{"1st application", colours::kBlue},
                         {"2nd application", colours::kOrange},
                         {"wasted", colours::kGrey},
                         {"idle", colours::kLightGrey}},
                        {}};
  for (const WorkloadOutcome& w : workloads) {
    StackedBarChart::Group& group = chart.groups.emplace_back(StackedBarChart::Group{w.name(), {}});
    for (const Bar& bar : bars(alone, w))
      group.bars.push_back({bar.label, {bar.first, bar.second, bar.wasted, bar.idle}});
  }
  return chart;
}

}  // namespace gputlm
