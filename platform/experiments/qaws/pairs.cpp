#include "platform/experiments/qaws/pairs.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

/// LRR, its greedy form, GTO and QAWS with its best budget, in this order.
std::array<const QawsOutcome*, 4> shown(const QawsPair& pair) {
  return {&pair.lrr, &pair.lrr_greedy, &pair.gto, &pair.chosen()};
}

}  // namespace

double QawsPair::improvement(std::size_t k, const QawsOutcome& outcome, const QawsOutcome& baseline) const {
  return 1 - ratio(outcome.response[k], baseline.response[k]);
}

bool QawsPair::even() const {
  return lrr.even && lrr_greedy.even && gto.even &&
         std::all_of(qaws.begin(), qaws.end(), [](const QawsOutcome& o) { return o.even; });
}

QawsPairs run_qaws_pairs(const Matrix::Workloads& pairs, const std::string& policy, const ExperimentOptions& options,
                         const QawsReading& reading) {
  const auto alone = [&](const std::string& name) { return QawsRun{{{name}}, "lrr", reading}; };
  const auto shared = [&](const auto& pair, const std::string& scheduler, unsigned budget) {
    return QawsRun{{{pair[0], 1}, {pair[1], budget}}, scheduler, reading};
  };
  QawsRuns runs(options);
  for (const auto& pair : pairs) {
    runs.add(alone(pair[0]));
    runs.add(alone(pair[1]));
    for (const char* baseline : {"lrr", "lrr_greedy", "gto"}) runs.add(shared(pair, baseline, 1));
    for (const unsigned budget : kQawsBudgets) runs.add(shared(pair, policy, budget));
  }
  runs.run();
  QawsPairs results;
  for (const auto& pair : pairs) {
    QawsPair& result = results.emplace_back();
    result.first = pair[0];
    result.second = pair[1];
    result.first_alone = runs[alone(pair[0])];
    result.second_alone = runs[alone(pair[1])];
    result.lrr = runs[shared(pair, "lrr", 1)];
    result.lrr_greedy = runs[shared(pair, "lrr_greedy", 1)];
    result.gto = runs[shared(pair, "gto", 1)];
    for (std::size_t b = 0; b < kQawsBudgets.size(); ++b) result.qaws[b] = runs[shared(pair, policy, kQawsBudgets[b])];
    const auto best = std::min_element(result.qaws.begin(), result.qaws.end(),
                                       [](const auto& a, const auto& b) { return a.response[1] < b.response[1]; });
    result.best = static_cast<std::size_t>(best - result.qaws.begin());
  }
  return results;
}

double mean(const QawsPairs& pairs, const std::function<double(const QawsPair&)>& measure) {
  std::vector<double> values;
  values.reserve(pairs.size());
  for (const QawsPair& pair : pairs) values.push_back(measure(pair));
  return gputlm::mean(values);
}

std::string pairs_table(const QawsPairs& pairs) {
  std::string text =
      fmt::format("{:<10} {:^13}  {:^13}  {:^13}  {:^13}  {:^13}   {:^17}  {:^20}  {:^17}\n", "", "alone", "lrr",
                  "lrr_greedy", "gto", "qaws", "K2 better, budget", "K2 better than under", "mean time");
  text += fmt::format("{:<10}", "K1+K2");
  for (int i = 0; i < 5; ++i) text += fmt::format(" {:>6} {:>6} ", "K1", "K2");
  text += fmt::format("  {:>5} {:>5} {:>5}  {:>6} {:>6} {:>6}  {:>5} {:>5} {:>5}\n", kQawsBudgets[0], kQawsBudgets[1],
                      kQawsBudgets[2], "lrr", "greedy", "gto", "greedy", "gto", "qaws");
  for (const QawsPair& p : pairs) {
    const auto over = [&](Cycle cycles) { return ratio(cycles, p.lrr.response[0]); };
    text += fmt::format("{:<10} {:>6.3f} {:>6.3f}", p.name(), over(p.first_alone.response[0]),
                        over(p.second_alone.response[0]));
    for (const QawsOutcome* o : shown(p))
      text += fmt::format("  {:>6.3f} {:>6.3f}", over(o->response[0]), over(o->response[1]));
    text += "  ";
    for (const QawsOutcome& o : p.qaws) text += fmt::format(" {:>5.2f}", p.improvement(1, o, p.lrr));
    text += fmt::format("  {:>6.3f} {:>6.3f} {:>6.3f}  {:>5.3f} {:>5.3f} {:>5.3f}\n", p.improvement(1),
                        p.improvement(1, p.chosen(), p.lrr_greedy), p.improvement(1, p.chosen(), p.gto),
                        p.mean_time(p.lrr_greedy), p.mean_time(p.gto), p.mean_time(p.chosen()));
  }
  return text +
         "Response times over that of K1 under lrr; qaws: with the budget of K2 that gives K2 the lowest one. "
         "Better: by which share the response\ntime is lower. Mean time: of both kernels, over that under lrr.\n";
}

std::string pairs_csv(const QawsPairs& pairs) {
  std::string text = "k1,k2,policy,k2_budget,k1_response_cycles,k2_response_cycles,k1_alone_cycles,k2_alone_cycles\n";
  for (const QawsPair& p : pairs) {
    const auto line = [&](const char* policy, unsigned budget, const QawsOutcome& o) {
      text += fmt::format("{},{},{},{},{},{},{},{}\n", p.first, p.second, policy, budget, o.response[0], o.response[1],
                          p.first_alone.response[0], p.second_alone.response[0]);
    };
    line("lrr", 1, p.lrr);
    line("lrr_greedy", 1, p.lrr_greedy);
    line("gto", 1, p.gto);
    for (std::size_t i = 0; i < p.qaws.size(); ++i) line("qaws", kQawsBudgets[i], p.qaws[i]);
  }
  return text;
}

Chart pairs_chart(const QawsPairs& pairs) {
  BarChart chart{"response time over that of K1 under LRR",
                 {{"K1 LRR", colours::kGrey},
                  {"K2 LRR", colours::kBlack},
                  {"K1 LRR, greedy", colours::kPurple},
                  {"K2 LRR, greedy", colours::kGreen},
                  {"K1 GTO", colours::kOrange},
                  {"K2 GTO", colours::kVermillion},
                  {"K1 QAWS", colours::kSky},
                  {"K2 QAWS", colours::kBlue}},
                 {}};
  for (const QawsPair& p : pairs) {
    BarChart::Group& group = chart.groups.emplace_back(BarChart::Group{p.name(), {}});
    for (const QawsOutcome* o : shown(p)) {
      for (const Cycle response : o->response) group.values.push_back(ratio(response, p.lrr.response[0]));
    }
  }
  return chart;
}

}  // namespace gputlm
