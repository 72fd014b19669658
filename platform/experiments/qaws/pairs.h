/// Pairs of the nine programs of qaws under LRR, GTO and QAWS (figure 4).
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "platform/experiments/qaws/runs.h"
#include "platform/lab/chart.h"
#include "platform/lab/matrix.h"

namespace gputlm {

/// Of K2; K1 has 1 (section V-B).
inline constexpr std::array<unsigned, 3> kQawsBudgets{2, 4, 8};

struct QawsPair {
  std::string first, second;  ///< K1, which comes first, and K2, which has the higher QoS requirement
  Cycle first_alone = 0, second_alone = 0;
  QawsOutcome lrr, gto;
  std::array<QawsOutcome, 3> qaws;  ///< by budget
  std::size_t best = 0;             ///< of them: the lowest response time of K2; of equal ones the smaller budget

  std::string name() const { return first == second ? first : first + "+" + second; }
  const QawsOutcome& chosen() const { return qaws[best]; }
  unsigned budget() const { return kQawsBudgets[best]; }
  /// By how much the response time of kernel `k` (0: K1) is lower than under LRR, as a share of that.
  double improvement(std::size_t k, const QawsOutcome& outcome) const;
  /// Mean of both response times over that under LRR.
  double mean_time(const QawsOutcome& outcome) const { return outcome.mean() / lrr.mean(); }
  bool even() const;  ///< every run was (QawsOutcome::even)
};
using QawsPairs = std::vector<QawsPair>;

/// `policy` stands for QAWS.
QawsPairs run_qaws_pairs(const Matrix::Workloads& pairs, const std::string& policy, const ExperimentOptions& options);

/// Figure 4: response times over that of K1 under LRR, and mean execution times over those under LRR.
std::string pairs_table(const QawsPairs& pairs);
/// One line a pair and policy, in cycles.
std::string pairs_csv(const QawsPairs& pairs);
/// The response times of the table as bars: both kernels under each policy.
Chart pairs_chart(const QawsPairs& pairs);

}  // namespace gputlm
