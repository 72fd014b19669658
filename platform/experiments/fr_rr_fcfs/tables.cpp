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

std::string bandwidth_chart(const AloneOutcomes& alone, const WorkloadOutcomes& workloads) {
  constexpr unsigned kBar = 12, kStep = 14, kHeight = 200, kTop = 40, kLeft = 50, kGap = 16, kLabels = 110;
  struct Part {
    const char* name;
    const char* colour;
    double Bar::*share;
  };
  constexpr Part kParts[] = {{"1st application", "#4878a8", &Bar::first},
                             {"2nd application", "#e49444", &Bar::second},
                             {"wasted", "#9aa0a6", &Bar::wasted},
                             {"idle", "#e8eaed", &Bar::idle}};
  const unsigned group = 6 * kStep + kGap;
  const auto width = static_cast<unsigned>(kLeft + workloads.size() * group + 10);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" font-size=\"10\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      width, kTop + kHeight + kLabels);
  unsigned x = kLeft;
  for (const Part& part : kParts) {
    svg += fmt::format(
        "<rect x=\"{}\" y=\"12\" width=\"10\" height=\"10\" fill=\"{}\" stroke=\"#555\" "
        "stroke-width=\"0.5\"/>\n<text x=\"{}\" y=\"21\">{}</text>\n",
        x, part.colour, x + 14, part.name);
    x += 110;
  }
  for (unsigned percent = 0; percent <= 100; percent += 20) {
    const unsigned y = kTop + kHeight - kHeight * percent / 100;
    svg += fmt::format(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{} %</text>\n<line x1=\"{}\" y1=\"{}\" x2=\"{}\" "
        "y2=\"{}\" stroke=\"#ccc\"/>\n",
        kLeft - 6, y + 3, percent, kLeft, y, width - 10, y);
  }
  x = kLeft + kGap / 2;
  for (const WorkloadOutcome& w : workloads) {
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-weight=\"bold\">{}</text>\n", x + 3 * kStep,
                       kTop - 6, w.name());
    for (const Bar& bar : bars(alone, w)) {
      double below = 0;
      for (const Part& part : kParts) {
        const double share = bar.*part.share;
        below += share;
        svg += fmt::format(
            "<rect x=\"{}\" y=\"{:.1f}\" width=\"{}\" height=\"{:.1f}\" fill=\"{}\" stroke=\"#555\" "
            "stroke-width=\"0.5\"/>\n",
            x, kTop + kHeight * (1 - below), kBar, kHeight * share, part.colour);
      }
      svg += fmt::format("<text transform=\"translate({},{}) rotate(-90)\" text-anchor=\"end\">{}</text>\n", x + 9,
                         kTop + kHeight + 6, bar.label);
      x += kStep;
    }
    x += kGap;
  }
  return svg + "</svg>\n";
}

}  // namespace gputlm
