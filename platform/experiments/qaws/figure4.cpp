/// Figure 4 of qaws: two kernels under LRR (in both readings), GTO and QAWS; two instances of each of the nine programs, and
/// five pairs of different programs.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "platform/experiments/qaws/runs.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

/// The pairs for which it holds: "all", "all but a, b", "none" or "a, b".
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

/// K2's response time with the worst budget relative to that with the best.
double worst_over_best(const QawsPair& pair) {
  const auto [best, worst] =
      std::minmax_element(pair.qaws.begin(), pair.qaws.end(),
                          [](const QawsOutcome& a, const QawsOutcome& b) { return a.response[1] < b.response[1]; });
  return ratio(worst->response[1], best->response[1]);
}

double better_than(const QawsPairs& pairs, const QawsOutcome QawsPair::*baseline) {
  return mean(pairs, [&](const QawsPair& p) { return p.improvement(1, p.chosen(), p.*baseline); });
}

/// The runs of figure 4, and the statements about both halves of it.
struct Figure4 {
  QawsPairs pairs;
  ExperimentReport report{"qaws"};

  Figure4(const std::string& half, const ExperimentOptions& options)
      : pairs(run_qaws_pairs(plan("qaws/" + half, options).programs(), options)) {
    const Table chosen = chosen_budgets(pairs), wide = pivot(chosen, {"pair"}, "policy", {"k1", "k2"});
    report.tables = {
        {"Response times over that of K1 under lrr; qaws: with the budget of K2 that gives K2 the lowest one", wide,
         "response"},
        {"What QAWS gains: K2 better, by which share the response time is lower than under the policy; mean "
         "time of both kernels over that under lrr",
         pivot(chosen, {"pair"}, "policy", {"k2_better", "mean_time"}), "gains",
         fmt::format("K2 better, mean: {:.3f} than under lrr, {:.3f} than under lrr_greedy, {:.3f} than "
                     "under gto.",
                     better_than(pairs, &QawsPair::lrr), better_than(pairs, &QawsPair::lrr_greedy),
                     better_than(pairs, &QawsPair::gto))},
        {"", all_budgets(pairs)}};
    std::vector<std::string> bars;
    for (std::size_t i = 1; i < wide.columns().size(); ++i) bars.push_back(wide.columns()[i].name);
    report.charts = {{bar_chart(wide, "response time over that of K1 under LRR", {"pair"}, bars)}};
    const auto faster = static_cast<std::size_t>(
        std::count_if(pairs.begin(), pairs.end(), [](const QawsPair& p) { return p.mean_time(p.chosen()) < 1; }));
    equal("as many warps of K1 as of K2 on every SM", "pairs.warps_on_every_sm",
          [](const QawsPair& p) { return p.even(); });
    if (!options.quick) {  // means over all pairs
      number("K2: response time under QAWS lower than under LRR by", half + ".k2_better",
             better_than(pairs, &QawsPair::lrr), Band::table());
      number("K2: response time under QAWS lower than under GTO by", half + ".k2_better",
             better_than(pairs, &QawsPair::gto), Band::table());
    }
    number("mean execution time, QAWS over LRR", "throughput.over_lrr",
           mean(pairs, [](const QawsPair& p) { return p.mean_time(p.chosen()); }), Band::below(1));
    number("mean execution time, QAWS over GTO", "throughput.over_gto",
           mean(pairs, [](const QawsPair& p) { return p.chosen().mean() / p.gto.mean(); }), Band::table());
    report.trend("mean execution time lower under QAWS than under LRR", "throughput.below_lrr",
                 fmt::format("{} of {}", faster, pairs.size()), "most", faster * 2 > pairs.size());
  }
  void number(const std::string& name, const std::string& key, double ours, Band band) {
    report.number(name, key, ours, 3, std::move(band));
  }
  /// The pairs for which it holds.
  void equal(const std::string& name, const std::string& key, const std::function<bool(const QawsPair&)>& holds) {
    report.equal(name, key, which(pairs, holds));
  }
};

/// his and atax "are latency-bound, i.e. most of the warps are always stalled on long latency instructions".
void latency_bound_figures(Figure4& figure) {
  QawsPairs those, by_gain = figure.pairs;
  std::copy_if(by_gain.begin(), by_gain.end(), std::back_inserter(those),
               [](const QawsPair& p) { return p.name() == "his" || p.name() == "atax"; });
  std::stable_sort(by_gain.begin(), by_gain.end(),
                   [](const QawsPair& a, const QawsPair& b) { return a.improvement(1) < b.improvement(1); });
  figure.equal("K2 gains least", "homogeneous.gain_least",
               [&](const QawsPair& p) { return p.name() == by_gain[0].name() || p.name() == by_gain[1].name(); });
  figure.number("his, atax: K2's response time lower by", "homogeneous.gain_little",
                mean(those, [](const QawsPair& p) { return p.improvement(1); }), Band::below(0.05));
  figure.number(
      "his, atax alone: share of time that warps wait for memory, the lower one", "homogeneous.wait_for_memory",
      std::min(those[0].first_alone.waits_for_memory, those[1].first_alone.waits_for_memory), Band::above(0.5));
}

ExperimentReport homogeneous(const ExperimentOptions& options) {
  Figure4 figure("homogeneous", options);
  const auto k2_over = [&](const QawsOutcome QawsPair::*outcome, std::size_t k, const QawsOutcome QawsPair::*other) {
    return mean(figure.pairs,
                [&](const QawsPair& p) { return ratio((p.*outcome).response[1], (p.*other).response[k]); });
  };
  figure.number("GTO: response time of K2 over that of K1", "homogeneous.k2_over_k1_under_gto",
                k2_over(&QawsPair::gto, 0, &QawsPair::gto), Band::above(1));
  figure.number("LRR: response time of K2 over that of K1", "homogeneous.k2_over_k1_under_lrr",
                k2_over(&QawsPair::lrr, 0, &QawsPair::lrr), Band::table());
  figure.number("response time of K2, GTO over LRR", "homogeneous.k2_under_gto_over_lrr",
                k2_over(&QawsPair::gto, 1, &QawsPair::lrr), Band::above(1));
  figure.equal("K2: lowest response time with QAWS", "homogeneous.k2_best_with_qaws", [](const QawsPair& p) {
    return p.chosen().response[1] < std::min(p.lrr.response[1], p.gto.response[1]);
  });
  figure.number("K2: response time with the worst of three budgets over the best", "homogeneous.budgets_alike",
                mean(figure.pairs, worst_over_best), Band::below(1.1));
  if (!options.quick) {
    figure.equal("both kernels better with QAWS than with LRR", "homogeneous.both_better_with_qaws",
                 [](const QawsPair& p) { return p.improvement(0) > 0 && p.improvement(1) > 0; });
    latency_bound_figures(figure);
  }
  return figure.report;
}

ExperimentReport heterogeneous(const ExperimentOptions& options) {
  Figure4 figure("heterogeneous", options);
  figure.equal("times alone within a factor of 10", "heterogeneous.alone_within_10", [](const QawsPair& p) {
    const auto [less, more] = std::minmax(p.first_alone.response[0], p.second_alone.response[0]);
    return more < 10 * less;
  });
  return figure.report;
}

GPUTLM_REGISTER {
  add_experiment("qaws/homogeneous", homogeneous);
  add_experiment("qaws/heterogeneous", heterogeneous);
}

}  // namespace
}  // namespace gputlm
