#include "platform/experiments/qaws/pairs.h"

#include <algorithm>

#include "platform/lab/metrics.h"

namespace gputlm {
double QawsPair::improvement(std::size_t k, const QawsOutcome& outcome, const QawsOutcome& baseline) const {
  return 1 - ratio(outcome.response[k], baseline.response[k]);
}

bool QawsPair::even() const {
  return lrr.even && lrr_greedy.even && gto.even &&
         std::all_of(qaws.begin(), qaws.end(), [](const QawsOutcome& o) { return o.even; });
}

QawsPairs run_qaws_pairs(const Plan::Workloads& pairs, const ExperimentOptions& options) {
  const std::string policy = options.policy("qaws");
  const auto alone = [&](const std::string& name) { return QawsRun{{{name}}, "lrr"}; };
  const auto shared = [&](const auto& pair, const std::string& scheduler, unsigned budget) {
    return QawsRun{{{pair[0], 1}, {pair[1], budget}}, scheduler};
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

Table chosen_budgets(const QawsPairs& pairs) {
  Table table({{"pair", "", "K1+K2", "K1+K2"},
               {"policy"},
               {"k1", "", "Response time of K1 over that under LRR", "K1", 3},
               {"k2", "", "Response time of K2 over that of K1 under LRR", "K2", 3},
               {"k2_better", "", "By which share K2's response time is lower under QAWS", "K2 better", 3},
               {"mean_time", "", "Mean time of both over that under LRR", "mean time", 3}});
  for (const QawsPair& p : pairs) {
    const auto over = [&](Cycle cycles) { return ratio(cycles, p.lrr.response[0]); };
    table.add({p.name(), "alone", over(p.first_alone.response[0]), over(p.second_alone.response[0])});
    for (const auto& [policy, o] :
         {std::pair{"lrr", &p.lrr}, {"lrr_greedy", &p.lrr_greedy}, {"gto", &p.gto}, {"qaws", &p.chosen()}}) {
      table.add({p.name(), policy, over(o->response[0]), over(o->response[1]), p.improvement(1, p.chosen(), *o),
                 p.mean_time(*o)});
    }
  }
  return table;
}

Table all_budgets(const QawsPairs& pairs) {
  Table table({{"k1"},
               {"k2"},
               {"policy"},
               {"k2_budget"},
               {"k1_response_cycles", "core cycles"},
               {"k2_response_cycles", "core cycles"},
               {"k1_alone_cycles", "core cycles"},
               {"k2_alone_cycles", "core cycles"},
               {"k2_better", "", "By which share K2's response time is lower than under LRR", "", 3}});
  for (const QawsPair& p : pairs) {
    const auto add = [&](const char* policy, unsigned budget, const QawsOutcome& o) {
      table.add({p.first, p.second, policy, budget, o.response[0], o.response[1], p.first_alone.response[0],
                 p.second_alone.response[0], p.improvement(1, o, p.lrr)});
    };
    add("lrr", 1, p.lrr);
    add("lrr_greedy", 1, p.lrr_greedy);
    add("gto", 1, p.gto);
    for (std::size_t i = 0; i < p.qaws.size(); ++i) add("qaws", kQawsBudgets[i], p.qaws[i]);
  }
  return table;
}

}  // namespace gputlm
