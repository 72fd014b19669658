/// Kernels of qaws side by side on titan_v (section V-A): launched in streams of their own, 8 cycles after each other,
/// with as many warps of each on every SM.
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
#include "tlm/time.h"

namespace gputlm {

// The nine programs of qaws (table Ib), as the program carries them: workloads/qaws/*.yaml. All are written as
// persistent threads that fill the same room: 24 warps on each of 80 SMs, the most that blocks of 2, 4, 6 and 8 warps
// fill alike in half an SM (section V-A: "every SM has an equal number of warps from K1 and K2"). What two instances read
// and write again fits into the L2 of titan_v. The paper says nothing of inputs, of how threads take their work, and of
// how many warps there are: QawsReading says how else they can be.

/// In the order of table Ib: five called compute-intensive there, and four memory-intensive.
inline constexpr std::array<const char*, 9> kQawsPrograms{"pc", "pf", "2dc", "dxtc", "bin", "vec", "mm", "his", "atax"};
inline constexpr unsigned kQawsWarps = 24;  ///< on each SM, of a program as it is written

/// By name. Generated from workloads/qaws/*.yaml by cmake/EmbedPresets.cmake.
const std::vector<PresetSource>& qaws_program_sources();

/// What the paper leaves open.
struct QawsReading {
  unsigned warps = kQawsWarps;  ///< on each SM; whole blocks
  WorkElement::Schedule schedule = WorkElement::Schedule::kDynamic;
  bool inputs_fit =
      true;  ///< into the L2; otherwise vec, pf, 2dc and his read and write what nobody has touched before
};

/// How a program is changed for a run.
struct QawsShape {
  unsigned sms = 80;
  QawsReading reading = {};
  unsigned shorter = 1;   ///< units of work for each block are divided by this; at least one remains
  unsigned instance = 0;  ///< each has memory of its own
};

/// Throws InputError if there is no such program, or its blocks do not fill that many warps.
ProgramSpec qaws_program(const std::string& name, const QawsShape& shape);
std::shared_ptr<Kernel> qaws_kernel(const std::string& name, const QawsShape& shape, std::uint64_t seed);

struct QawsLaunch {
  std::string program;
  unsigned budget = 1;
};

struct QawsRun {
  std::vector<QawsLaunch> kernels;  ///< in the order of their launches
  std::string policy = "lrr";       ///< of the warp schedulers
  QawsReading reading = {};         ///< of each kernel
};

struct QawsOutcome {
  /// Of each kernel, in core cycles: from its arrival at the GPU to the end of its last block. Without the host, which
  /// GPGPU-Sim does not have.
  std::vector<Cycle> response;
  /// Every SM had as many warps of each kernel, and no block had to wait for another of its kernel to end.
  bool even = false;
  double waits_for_memory = 0;  ///< share of the cycles of all warps, from their starts to their ends
  double mean() const;          ///< of the responses
};

/// With `quick` programs do a quarter of their work.
class QawsRuns {
 public:
  explicit QawsRuns(ExperimentOptions options) : options_(std::move(options)) {}
  /// A run that has been added before is the same one.
  void add(const QawsRun& run);
  /// Carries out what has been added.
  void run() { runs_.run(options_.jobs()); }
  QawsOutcome operator[](const QawsRun& run) const;

 private:
  ExperimentOptions options_;
  RunSet<QawsRun> runs_;
};

// Pairs of the nine programs of qaws under LRR, in both readings, GTO and QAWS (figure 4).

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

QawsPairs run_qaws_pairs(const Study::Programs& pairs, const ExperimentOptions& options);

double mean(const QawsPairs& pairs, const std::function<double(const QawsPair&)>& measure);

/// Figure 4: a line a pair and policy, QAWS with the budget that was chosen.
Table chosen_budgets(const QawsPairs& pairs);
/// A line a pair, policy and budget, in cycles.
Table all_budgets(const QawsPairs& pairs);

}  // namespace gputlm
