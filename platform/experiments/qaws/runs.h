/// Kernels of qaws side by side on titan_v (section V-A): launched in separate streams, 8 cycles apart, with the same number
/// of warps of each on every SM.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/kernel/kernel.h"
#include "models/kernel/program.h"
#include "platform/input/preset.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "tlm/base/time.h"

namespace gputlm {

// The nine programs of qaws (table Ib), compiled in: workloads/qaws/*.yaml. All are written as persistent threads that fill
// the same space: 24 warps on each of 80 SMs, the most that blocks of 2, 4, 6 and 8 warps can all fill in half an SM (section
// V-A: "every SM has an equal number of warps from K1 and K2"). The data that two instances reread and write fits into the L2
// of titan_v. The paper does not state inputs, the distribution of work over threads, or the number of warps; QawsReading
// holds the alternatives.

/// In the order of table Ib: five that it calls compute-intensive, and four memory-intensive.
inline constexpr std::array<const char*, 9> kQawsPrograms{"pc", "pf", "2dc", "dxtc", "bin", "vec", "mm", "his", "atax"};
inline constexpr unsigned kQawsWarps = 24;  ///< warps per SM, for a program as written

/// The programs, by name. Generated from workloads/qaws/*.yaml by cmake/EmbedPresets.cmake.
const std::vector<PresetSource>& qaws_program_sources();

/// Choices that the paper leaves open.
struct QawsReading {
  unsigned warps = kQawsWarps;  ///< warps per SM, in whole blocks
  WorkElement::Schedule schedule = WorkElement::Schedule::kDynamic;
  bool inputs_fit = true;  ///< data fits into the L2; otherwise vec, pf, 2dc and his access only fresh memory
};

/// Changes to a program for a run.
struct QawsShape {
  unsigned sms = 80;
  QawsReading reading = {};
  unsigned shorter = 1;   ///< divisor of the units of work per block; at least one unit remains
  unsigned instance = 0;  ///< number of the instance; each has memory of its own
};

/// Throws InputError if the program does not exist, or if its blocks cannot fill that many warps.
ProgramSpec qaws_program(const std::string& name, const QawsShape& shape);
std::shared_ptr<Kernel> qaws_kernel(const std::string& name, const QawsShape& shape, std::uint64_t seed);

struct QawsLaunch {
  std::string program;
  unsigned budget = 1;
};

struct QawsRun {
  std::vector<QawsLaunch> kernels;  ///< in the order of their launches
  std::string policy = "lrr";       ///< policy of the warp schedulers
  QawsReading reading = {};         ///< choices for all kernels
};

struct QawsOutcome {
  /// For each kernel, in core cycles: from its arrival at the GPU to the end of its last block. Excludes the host, which
  /// GPGPU-Sim does not model.
  std::vector<Cycle> response;
  /// Every SM had the same number of warps of each kernel, and no block waited for another of its kernel to end.
  bool even = false;
  double waits_for_memory = 0;  ///< share of the lifetime of all warps, in cycles
  double mean() const;          ///< mean of the responses
};

/// With `quick`, programs do a quarter of their work.
class QawsRuns {
 public:
  explicit QawsRuns(ExperimentOptions options) : options_(std::move(options)) {}
  /// A repeated run counts once.
  void add(const QawsRun& run);
  /// Carries out what has been added.
  void run() { runs_.run(options_.jobs()); }
  QawsOutcome operator[](const QawsRun& run) const;

 private:
  ExperimentOptions options_;
  RunSet<QawsRun> runs_;
};

// Pairs of the nine programs of qaws under LRR (in both readings), GTO and QAWS (figure 4).

/// Budgets of K2; K1 has 1 (section V-B).
inline constexpr std::array<unsigned, 3> kQawsBudgets{2, 4, 8};

struct QawsPair {
  std::string first, second;  ///< K1, which comes first, and K2, which has the higher QoS requirement
  QawsOutcome first_alone, second_alone;
  QawsOutcome lrr, lrr_greedy, gto;
  std::array<QawsOutcome, 3> qaws;  ///< outcomes under QAWS, indexed as kQawsBudgets
  std::size_t best = 0;             ///< index in `qaws` of the lowest response time of K2; the smaller budget if equal

  std::string name() const { return first == second ? first : first + "+" + second; }
  const QawsOutcome& chosen() const { return qaws[best]; }
  unsigned budget() const { return kQawsBudgets[best]; }
  /// Reduction of the response time of kernel `k` (0: K1) relative to `baseline`.
  double improvement(std::size_t k, const QawsOutcome& outcome, const QawsOutcome& baseline) const;
  /// The reduction by the chosen outcome, relative to LRR.
  double improvement(std::size_t k) const { return improvement(k, chosen(), lrr); }
  /// Mean of both response times relative to LRR.
  double mean_time(const QawsOutcome& outcome) const { return outcome.mean() / lrr.mean(); }
  bool even() const;  ///< whether every run was even (QawsOutcome::even)
};
using QawsPairs = std::vector<QawsPair>;

QawsPairs run_qaws_pairs(const Study::Programs& pairs, const ExperimentOptions& options);

double mean(const QawsPairs& pairs, const std::function<double(const QawsPair&)>& measure);

/// Figure 4: one line per pair and policy, with the chosen budget for QAWS.
Table chosen_budgets(const QawsPairs& pairs);
/// One line per pair, policy and budget, in cycles.
Table all_budgets(const QawsPairs& pairs);

}  // namespace gputlm
