/// What it buys to keep the applications' requests apart in front of the memory controllers, with queues that can be
/// built, beside what FR-RR-FCFS buys. The paper's scheduler is fair among the requests that it sees; in front of a
/// short queue they stand in the order in which they came. The paper has nothing of this, so nothing is judged.
///
/// Each admission is one more of the way on which no application waits behind another; entries are kept for the two
/// applications, a quarter of the queue for each, the rest is shared:
/// - in order: none;
/// - reserved: the entries alone. One queue in front, whose head waits for room for its application;
/// - queues: and a queue in front for each application, with a way of its own from the L2 slices;
/// - queues from L2: and one in front of the slices, with half of their MSHRs each: the whole way from the crossbar.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "platform/experiments/experiments.h"
#include "platform/experiments/fr_rr_fcfs/runs.h"
#include "platform/files/atomic_file.h"
#include "platform/lab/chart_files.h"
#include "platform/lab/matrix.h"

namespace gputlm {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

const std::vector<std::string>& schedulers() {
  static const std::vector<std::string> all{"fr_fcfs", "fr_rr_fcfs"};
  return all;
}

/// Of the admission called `name`, with a queue of so many entries.
Settings settings_of(const std::string& name, unsigned queue) {
  Settings settings;
  if (name == "in order") return settings;
  settings.emplace_back("dram.applications", "2");
  settings.emplace_back("dram.reserved", std::to_string(queue / 4));
  if (name == "reserved") return settings;
  settings.emplace_back("dram.virtual_channels", "true");
  if (name == "queues") return settings;
  settings.emplace_back("l2.applications", "2");
  return settings;
}

/// One depth, admission and scheduler.
struct Point {
  unsigned queue;
  std::string admission, scheduler;
  std::vector<Metrics> workloads;
  std::vector<double> useful;  ///< of each, the share of DRAM cycles in which data moves

  double mean(double Metrics::*metric) const {
    double sum = 0;
    for (const Metrics& workload : workloads) sum += workload.*metric;
    return sum / static_cast<double>(workloads.size());
  }
  double bus() const {
    double sum = 0;
    for (const double share : useful) sum += share;
    return sum / static_cast<double>(useful.size());
  }
};

std::vector<Point> run(const Matrix& all, const ExperimentOptions& options) {
  const auto shared = [](const std::vector<std::string>& pair, const Point& point) {
    return MemoryRun{pair, point.scheduler, 0, 60, point.queue, settings_of(point.admission, point.queue)};
  };
  const auto alone = [](const std::string& name, unsigned queue) { return MemoryRun{{name}, "fr_fcfs", 0, 60, queue}; };
  std::vector<Point> points;
  std::vector<MemoryRun> runs;
  for (const unsigned queue : all.numbers("dram.queue")) {
    for (const std::string& admission : all.values("admission")) {
      for (const std::string& scheduler : schedulers()) points.push_back({queue, admission, scheduler, {}, {}});
    }
    for (const auto& pair : all.workloads()) {
      for (const std::string& name : pair) runs.push_back(alone(name, queue));
    }
  }
  for (const Point& point : points) {
    for (const auto& pair : all.workloads()) runs.push_back(shared(pair, point));
  }
  const auto outcomes = run_memory(runs, options);
  for (Point& point : points) {
    for (const auto& pair : all.workloads()) {
      const MemoryOutcome& outcome = outcomes.at(shared(pair, point));
      point.workloads.push_back(
          metrics(outcome, outcomes.at(alone(pair.at(0), point.queue)), outcomes.at(alone(pair.at(1), point.queue))));
      point.useful.push_back(outcome.useful());
    }
  }
  return points;
}

std::string table(const std::vector<Point>& points, const Matrix& all) {
  std::string text =
      fmt::format("{:>7} {:<15} {:<11} {:>6} {:>6} {:>6} ", "entries", "admission", "scheduler", "FI", "WS", "bus");
  for (const auto& pair : all.workloads()) text += fmt::format(" {:>11}", pair.at(0) + "_" + pair.at(1));
  text += '\n';
  for (const Point& point : points) {
    text +=
        fmt::format("{:>7} {:<15} {:<11} {:>6.2f} {:>6.3f} {:>6.3f} ", point.queue, point.admission, point.scheduler,
                    point.mean(&Metrics::fairness_index), point.mean(&Metrics::weighted_speedup), point.bus());
    for (const Metrics& w : point.workloads)
      text += fmt::format(" {:>11}", fmt::format("{:.2f} {:.2f}", w.fairness_index, w.weighted_speedup));
    text += '\n';
  }
  return text;
}

std::string csv(const std::vector<Point>& points, const Matrix& all) {
  std::string text =
      "queue,admission,scheduler,workload,fairness_index,weighted_speedup,slowdown_1,slowdown_2,useful\n";
  const Matrix::Workloads workloads = all.workloads();
  for (const Point& point : points) {
    for (std::size_t i = 0; i < point.workloads.size(); ++i) {
      const auto& pair = workloads[i];
      const Metrics& w = point.workloads[i];
      text += fmt::format("{},{},{},{}_{},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f}\n", point.queue, point.admission,
                          point.scheduler, pair.at(0), pair.at(1), w.fairness_index, w.weighted_speedup, w.slowdown[0],
                          w.slowdown[1], point.useful[i]);
    }
  }
  return text;
}

/// A line for each admission under the paper's scheduler, and that of FR-FCFS with requests in order.
LineChart chart(const std::vector<Point>& points) {
  LineChart::Panel fairness{"entries of a controller's queue", "fairness index (1 is fair)", {}, true, {}};
  LineChart::Panel speedup{"entries of a controller's queue", "weighted speedup", {}, true, {}};
  std::map<std::string, std::size_t> places;
  for (const Point& point : points) {
    const std::string name = point.admission + ", " + point.scheduler;
    const auto [place, is_new] = places.try_emplace(name, places.size());
    if (is_new) {
      fairness.lines.push_back({name, {}});
      speedup.lines.push_back({name, {}});
    }
    fairness.lines[place->second].points.emplace_back(point.queue, point.mean(&Metrics::fairness_index));
    speedup.lines[place->second].points.emplace_back(point.queue, point.mean(&Metrics::weighted_speedup));
  }
  return {"Two applications, means over the workloads", {std::move(fairness), std::move(speedup)}};
}

ExperimentReport fr_rr_fcfs_admission(const ExperimentOptions& options) {
  const Matrix all = matrix("fr-rr-fcfs/admission", options.quick);
  const std::vector<Point> points = run(all, options);
  ExperimentReport report;
  report.text = fmt::format("Means over {} workloads, and of each its fairness index and weighted speedup\n",
                            all.workloads().size()) +
                table(points, all) +
                "entries: of a controller's queue, each a burst; FI: fairness index, 1 is fair; WS: weighted speedup; "
                "bus: share of\nDRAM cycles in which data moves\n";
  if (!options.out.empty()) {
    AtomicFile file(options.out + "/fr-rr-fcfs-admission.csv");
    file.write(csv(points, all));
    file.commit();
    write_chart(options.out + "/fr-rr-fcfs-admission.svg", chart(points));
  }
  return report;
}

GPUTLM_REGISTER {
  experiments().add({{"fr-rr-fcfs/admission", 306},
                     "What admission by application buys in front of queues of 16 to 64 entries",
                     fr_rr_fcfs_admission});
}

}  // namespace
}  // namespace gputlm
