/// Figure 4 of qaws: two kernels under LRR, GTO and QAWS; two instances of each of the nine programs, and five pairs of
/// different ones.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "platform/experiments/qaws/pairs.h"
#include "platform/experiments/qaws/qaws.h"
#include "platform/files/atomic_file.h"
#include "platform/lab/chart_files.h"
#include "platform/lab/matrix.h"
#include "platform/lab/metrics.h"
#include "platform/lab/reference.h"

namespace gputlm {
namespace {

double mean(const QawsPairs& pairs, const std::function<double(const QawsPair&)>& measure) {
  std::vector<double> values;
  values.reserve(pairs.size());
  for (const QawsPair& pair : pairs) values.push_back(measure(pair));
  return gputlm::mean(values);
}

/// Of the pairs those for which it holds: "all", "all but a, b", "none" or "a, b".
std::string which(const QawsPairs& pairs, const std::function<bool(const QawsPair&)>& holds) {
  std::string those, others;
  std::size_t count = 0;
  for (const QawsPair& pair : pairs) {
    const bool is = holds(pair);
    count += is;
    std::string& list = is ? those : others;
    list += (list.empty() ? "" : ", ") + pair.name();
  }
  if (count == 0) return "none";
  if (others.empty()) return "all";
  return count * 2 > pairs.size() ? "all but " + others : those;
}

const Reference& paper() { return reference("qaws"); }

Figure above(const std::string& name, const std::string& key, double ours, double bound, std::string note = "") {
  return {name, paper().at(key), Quantity::number(ours, 3), Band::above(bound), std::move(note)};
}
Figure exact(const std::string& name, const std::string& key, const std::string& ours) {
  return {name, paper().at(key), ours, Band::exact(), ""};
}

void common_figures(const QawsPairs& pairs, const std::string& improvement, std::vector<Figure>& figures) {
  const double better = mean(pairs, [](const QawsPair& p) { return p.improvement(1, p.chosen()); });
  const double speedup = mean(pairs, [](const QawsPair& p) { return 1 / (1 - p.improvement(1, p.chosen())); });
  const double over_lrr = mean(pairs, [](const QawsPair& p) { return p.mean_time(p.chosen()); });
  const double over_gto = mean(pairs, [](const QawsPair& p) { return p.chosen().mean() / p.gto.mean(); });
  figures.push_back(exact("as many warps of K1 as of K2 on every SM", "pairs.warps_on_every_sm",
                          which(pairs, [](const QawsPair& p) { return p.even(); })));
  figures.push_back(above("K2: response time under QAWS lower by", improvement, better, 0,
                          "in order of age, as under GTO, warps end apart, and the last ones fill no pipe"));
  figures.push_back({"K2: speedup of QAWS over LRR", "", Quantity::number(speedup, 3), Band::compared(), ""});
  figures.push_back({"mean execution time, QAWS over LRR", paper().at("throughput.over_lrr"),
                     Quantity::number(over_lrr, 3), Band::below(1), "likewise"});
  figures.push_back({"mean execution time, QAWS over GTO", paper().at("throughput.over_gto"),
                     Quantity::number(over_gto, 3), Band::range(0.9, 1.1, 1), ""});
}

void write_files(const QawsPairs& pairs, const std::string& folder, const std::string& name) {
  if (folder.empty()) return;
  write_file(folder + "/" + name + ".csv", pairs_csv(pairs));
  write_chart(folder + "/" + name + ".svg", pairs_chart(pairs));
}

}  // namespace

GPUTLM_REGISTER {
  experiments().add({{"qaws/homogeneous", 402},
                     "Two instances of each of nine programs under three warp schedulers (figure 4a)",
                     [](const ExperimentOptions& options) { return qaws_homogeneous(options); }});
  experiments().add({{"qaws/heterogeneous", 403},
                     "Five pairs of different programs under three warp schedulers (figure 4b)",
                     [](const ExperimentOptions& options) { return qaws_heterogeneous(options); }});
}

ExperimentReport qaws_homogeneous(const ExperimentOptions& options, const std::string& policy) {
  const QawsPairs pairs = run_qaws_pairs(matrix("qaws/homogeneous", options.quick).workloads(), policy, options);
  ExperimentReport report;
  report.text = pairs_table(pairs) + "\n";
  common_figures(pairs, "homogeneous.k2_better", report.figures);
  const double inversion = mean(pairs, [](const QawsPair& p) { return ratio(p.gto.response[1], p.gto.response[0]); });
  report.figures.push_back(
      above("GTO: response time of K2 over that of K1", "homogeneous.k2_over_k1_under_gto", inversion, 1));
  report.figures.push_back(
      exact("K2: lowest response time with QAWS", "homogeneous.k2_best_with_qaws", which(pairs, [](const QawsPair& p) {
              return p.chosen().response[1] < std::min(p.lrr.response[1], p.gto.response[1]);
            })));
  report.figures.push_back(exact("both kernels better with QAWS than with LRR", "homogeneous.both_better_with_qaws",
                                 which(pairs, [](const QawsPair& p) {
                                   return p.improvement(0, p.chosen()) > 0 && p.improvement(1, p.chosen()) > 0;
                                 })));
  write_files(pairs, options.out, "qaws-homogeneous");
  return report;
}

ExperimentReport qaws_heterogeneous(const ExperimentOptions& options, const std::string& policy) {
  const QawsPairs pairs = run_qaws_pairs(matrix("qaws/heterogeneous", options.quick).workloads(), policy, options);
  ExperimentReport report;
  report.text = pairs_table(pairs) + "\n";
  common_figures(pairs, "heterogeneous.k2_better", report.figures);
  report.figures.push_back(
      exact("times alone within a factor of 10", "heterogeneous.alone_within_10", which(pairs, [](const QawsPair& p) {
              return std::max(p.first_alone, p.second_alone) < 10 * std::min(p.first_alone, p.second_alone);
            })));
  write_files(pairs, options.out, "qaws-heterogeneous");
  return report;
}

}  // namespace gputlm
