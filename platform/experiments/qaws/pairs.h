/// Pairs of the nine programs of qaws under LRR, in both readings, GTO and QAWS (figure 4).
#pragma once

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "platform/experiments/qaws/runs.h"
#include "platform/lab/plan.h"

namespace gputlm {

/// Of K2; K1 has 1 (section V-B).
inline constexpr std::array<unsigned, 3> kQawsBudgets{2, 4, 8};

struct QawsPair {
  std::string first, second;  ///< K1, which comes first, and K2, which has the higher QoS requirement
  QawsOutcome first_alone, second_alone;
  QawsOutcome lrr, lrr_greedy, gto;
  std::array<QawsOutcome, 3> qaws;  ///< by budget
  std::size_t best = 0;             ///< of them: the lowest response time of K2; of equal ones the smaller budget

  std::string name() const { return first == second ? first : first + "+" + second; }
  const QawsOutcome& chosen() const { return qaws[best]; }
  unsigned budget() const { return kQawsBudgets[best]; }
  /// By how much the response time of kernel `k` (0: K1) is lower than under `baseline`, as a share of that.
  double improvement(std::size_t k, const QawsOutcome& outcome, const QawsOutcome& baseline) const;
  /// The same of the chosen one over LRR.
  double improvement(std::size_t k) const { return improvement(k, chosen(), lrr); }
  /// Mean of both response times over that under LRR.
  double mean_time(const QawsOutcome& outcome) const { return outcome.mean() / lrr.mean(); }
  bool even() const;  ///< every run was (QawsOutcome::even)
};
using QawsPairs = std::vector<QawsPair>;

QawsPairs run_qaws_pairs(const Plan::Workloads& pairs, const ExperimentOptions& options);

double mean(const QawsPairs& pairs, const std::function<double(const QawsPair&)>& measure);

/// Figure 4: a line a pair and policy, QAWS with the budget that was chosen.
Table chosen_budgets(const QawsPairs& pairs);
/// A line a pair, policy and budget, in cycles.
Table all_budgets(const QawsPairs& pairs);

}  // namespace gputlm
