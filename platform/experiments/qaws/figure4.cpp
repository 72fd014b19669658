/// Figure 4 of qaws: two kernels under LRR, in both readings, GTO and QAWS; two instances of each of the nine programs, and five pairs of
/// different ones.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "platform/experiments/qaws/pairs.h"
#include "platform/experiments/qaws/qaws.h"
#include "platform/files/atomic_file.h"
#include "platform/lab/chart_files.h"
#include "platform/lab/matrix.h"
#include "platform/lab/metrics.h"
#include "platform/lab/reference.h"

namespace gputlm {
namespace {

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

Figure number(const std::string& name, const std::string& key, double ours, Band band, std::string note = "") {
  return {name, paper().at(key), Quantity::number(ours, 3), std::move(band), std::move(note)};
}
Figure exact(const std::string& name, const std::string& key, const std::string& ours) {
  return {name, paper().at(key), ours, Band::exact(), ""};
}

/// K2's response time with the worst of the budgets over that with the best.
double worst_over_best(const QawsPair& pair) {
  const auto [best, worst] =
      std::minmax_element(pair.qaws.begin(), pair.qaws.end(),
                          [](const QawsOutcome& a, const QawsOutcome& b) { return a.response[1] < b.response[1]; });
  return ratio(worst->response[1], best->response[1]);
}

std::string gains_text(const QawsPairs& pairs) {
  const auto over = [&](const QawsOutcome QawsPair::*baseline) {
    return mean(pairs, [&](const QawsPair& p) { return p.improvement(1, p.chosen(), p.*baseline); });
  };
  return fmt::format("K2 better, mean: {:.3f} than under lrr, {:.3f} than under lrr_greedy, {:.3f} than under gto.\n\n",
                     over(&QawsPair::lrr), over(&QawsPair::lrr_greedy), over(&QawsPair::gto));
}

void common_figures(const QawsPairs& pairs, const std::string& improvement, const ExperimentOptions& options,
                    std::vector<Figure>& figures) {
  const auto better_than = [&](const QawsOutcome QawsPair::*baseline) {
    return mean(pairs, [&](const QawsPair& p) { return p.improvement(1, p.chosen(), p.*baseline); });
  };
  const double over_lrr = mean(pairs, [](const QawsPair& p) { return p.mean_time(p.chosen()); });
  const double over_gto = mean(pairs, [](const QawsPair& p) { return p.chosen().mean() / p.gto.mean(); });
  const auto faster = static_cast<std::size_t>(
      std::count_if(pairs.begin(), pairs.end(), [](const QawsPair& p) { return p.mean_time(p.chosen()) < 1; }));
  figures.push_back(exact("as many warps of K1 as of K2 on every SM", "pairs.warps_on_every_sm",
                          which(pairs, [](const QawsPair& p) { return p.even(); })));
  if (!options.quick) {  // means over all pairs
    figures.push_back(number("K2: response time under QAWS lower than under LRR by", improvement,
                             better_than(&QawsPair::lrr), Band::table()));
    figures.push_back(number("K2: response time under QAWS lower than under GTO by", improvement,
                             better_than(&QawsPair::gto), Band::table()));
  }
  figures.push_back(number("mean execution time, QAWS over LRR", "throughput.over_lrr", over_lrr, Band::below(1)));
  figures.push_back(number("mean execution time, QAWS over GTO", "throughput.over_gto", over_gto, Band::table()));
  figures.push_back({"mean execution time lower under QAWS than under LRR", paper().at("throughput.below_lrr"),
                     fmt::format("{} of {}", faster, pairs.size()), Band::trend("most", faster * 2 > pairs.size()),
                     ""});
}

/// his and atax "are latency-bound, i.e. most of the warps are always stalled on long latency instructions".
void latency_bound_figures(const QawsPairs& pairs, std::vector<Figure>& figures) {
  QawsPairs those, by_gain = pairs;
  std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(those),
               [](const QawsPair& p) { return p.name() == "his" || p.name() == "atax"; });
  std::stable_sort(by_gain.begin(), by_gain.end(),
                   [](const QawsPair& a, const QawsPair& b) { return a.improvement(1) < b.improvement(1); });
  const auto is_last = [&](const QawsPair& p) {
    return p.name() == by_gain[0].name() || p.name() == by_gain[1].name();
  };
  const double gain = mean(those, [](const QawsPair& p) { return p.improvement(1); });
  const double least = std::min(those[0].first_alone.waits_for_memory, those[1].first_alone.waits_for_memory);
  figures.push_back(exact("K2 gains least", "homogeneous.gain_least", which(pairs, is_last)));
  figures.push_back(
      number("his, atax: K2's response time lower by", "homogeneous.gain_little", gain, Band::below(0.05)));
  figures.push_back(number("his, atax alone: share of time that warps wait for memory, the lower one",
                           "homogeneous.wait_for_memory", least, Band::above(0.5)));
}

void write_files(const QawsPairs& pairs, const std::string& folder, const std::string& name) {
  if (folder.empty()) return;
  write_file(folder + "/" + name + ".csv", pairs_csv(pairs));
  write_chart(folder + "/" + name + ".svg", pairs_chart(pairs));
}

}  // namespace

GPUTLM_REGISTER {
  experiments().add({{"qaws/homogeneous", 402},
                     "Two instances of each of nine programs under four warp schedulers (figure 4a)",
                     [](const ExperimentOptions& options) { return qaws_homogeneous(options); }});
  experiments().add({{"qaws/heterogeneous", 403},
                     "Five pairs of different programs under four warp schedulers (figure 4b)",
                     [](const ExperimentOptions& options) { return qaws_heterogeneous(options); }});
}

ExperimentReport qaws_homogeneous(const ExperimentOptions& options, const std::string& policy) {
  const QawsPairs pairs = run_qaws_pairs(matrix("qaws/homogeneous", options.quick).workloads(), policy, options);
  ExperimentReport report;
  report.text = pairs_table(pairs) + gains_text(pairs);
  common_figures(pairs, "homogeneous.k2_better", options, report.figures);
  const auto k2_over = [&](const QawsOutcome QawsPair::*outcome, std::size_t k, const QawsOutcome QawsPair::*other) {
    return mean(pairs, [&](const QawsPair& p) { return ratio((p.*outcome).response[1], (p.*other).response[k]); });
  };
  report.figures.push_back(number("GTO: response time of K2 over that of K1", "homogeneous.k2_over_k1_under_gto",
                                  k2_over(&QawsPair::gto, 0, &QawsPair::gto), Band::above(1)));
  report.figures.push_back(number("LRR: response time of K2 over that of K1", "homogeneous.k2_over_k1_under_lrr",
                                  k2_over(&QawsPair::lrr, 0, &QawsPair::lrr), Band::table()));
  report.figures.push_back(number("response time of K2, GTO over LRR", "homogeneous.k2_under_gto_over_lrr",
                                  k2_over(&QawsPair::gto, 1, &QawsPair::lrr), Band::above(1)));
  report.figures.push_back(
      exact("K2: lowest response time with QAWS", "homogeneous.k2_best_with_qaws", which(pairs, [](const QawsPair& p) {
              return p.chosen().response[1] < std::min(p.lrr.response[1], p.gto.response[1]);
            })));
  report.figures.push_back(number("K2: response time with the worst of three budgets over the best",
                                  "homogeneous.budgets_alike", mean(pairs, worst_over_best), Band::below(1.1)));
  if (!options.quick) {
    report.figures.push_back(
        exact("both kernels better with QAWS than with LRR", "homogeneous.both_better_with_qaws",
              which(pairs, [](const QawsPair& p) { return p.improvement(0) > 0 && p.improvement(1) > 0; })));
    latency_bound_figures(pairs, report.figures);
  }
  write_files(pairs, options.out, "qaws-homogeneous");
  return report;
}

ExperimentReport qaws_heterogeneous(const ExperimentOptions& options, const std::string& policy) {
  const QawsPairs pairs = run_qaws_pairs(matrix("qaws/heterogeneous", options.quick).workloads(), policy, options);
  ExperimentReport report;
  report.text = pairs_table(pairs) + gains_text(pairs);
  common_figures(pairs, "heterogeneous.k2_better", options, report.figures);
  report.figures.push_back(
      exact("times alone within a factor of 10", "heterogeneous.alone_within_10", which(pairs, [](const QawsPair& p) {
              const auto [less, more] = std::minmax(p.first_alone.response[0], p.second_alone.response[0]);
              return more < 10 * less;
            })));
  write_files(pairs, options.out, "qaws-heterogeneous");
  return report;
}

}  // namespace gputlm
