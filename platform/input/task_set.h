/// Random sets of periodic tasks, drawn by UUniFast: utilisations that add up to a given total, each such set being equally
/// likely (Bini and Buttazzo, "Measuring the Performance of Schedulability Tests", Real-Time Systems 30, 2005). A set in
/// which a single task would need more than all of the GPU's time is drawn again (UUniFast-Discard: Davis and Burns,
/// "Priority Assignment for Global Fixed Priority Pre-emptive Scheduling in Multiprocessor Real-Time Systems", RTSS 2009).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "platform/input/launch_list.h"

namespace gputlm {

/// The distribution of a set, and how its tasks run: `tasks: {uunifast: ...}` of a workload file.
struct TaskSetSpec {
  /// How stream priorities are assigned.
  enum class Priorities : std::uint8_t {
    kNone,         ///< the same priority for all
    kRate,         ///< shorter period first (Liu and Layland, JACM 20(1), 1973)
    kCriticality,  ///< level hi before level lo, then shorter period first
  };
  enum class Release : std::uint8_t { kTogether, kRandom };

  std::uint32_t tasks = 1;
  double utilisation = 0.5;
  Femtoseconds shortest_period = 0, longest_period = 0;
  Femtoseconds shortest_block = 10'000'000'000, longest_block = 100'000'000'000;
  std::optional<std::uint32_t> threads = std::nullopt;
  std::optional<std::uint32_t> blocks = std::nullopt;
  double deadline = 1;  ///< deadline as a share of the period
  Priorities priorities = Priorities::kNone;
  Release release = Release::kTogether;
  std::optional<Femtoseconds> duration = std::nullopt;
  // Mixed criticality.
  double hi_share = 0;
  double hi_factor = 2;
  double overrun = 0;
  InHiMode in_hi_mode = InHiMode::kDrop;
  std::uint32_t degraded_every = 2;
  std::string name = "t";
  std::optional<std::uint64_t> seed = std::nullopt;
  std::uint32_t number = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = TaskSetSpec;
    v.required(&S::tasks, "tasks", Whole{1, 256, "tasks"}, "Number of tasks");
    v.required(&S::utilisation, "utilisation", Real{0.001, 256, kPlain},
               "Total utilisation: sum over the tasks of a job's time alone divided by its period, in level lo",
               "Bini and Buttazzo, RTS 30, 2005: UUniFast");
    v.required(&S::shortest_period, "shortest_period_us", Microseconds{1, 1e7},
               "Shortest period; periods are drawn log-uniformly", "Emberson et al., WATERS 2010: log-uniform");
    v.required(&S::longest_period, "longest_period_us", Microseconds{1, 1e7}, "Longest period");
    v.field(
        &S::shortest_block, "shortest_block_us", Microseconds{0.1, 1e7},
        "Shortest block; block times are log-uniform too, and a kernel has the number of waves that its time requires");
    v.field(&S::longest_block, "longest_block_us", Microseconds{0.1, 1e7}, "Longest block");
    v.field(&S::threads, "threads", Whole{1, 1024, "threads"},
            "Threads per block; default: drawn from 64, 128 ... 1024");
    v.field(&S::blocks, "blocks", Whole{1, 1000000, "blocks"},
            "Blocks per kernel; default: enough to fill the GPU in each wave but the last");
    v.field(&S::deadline, "deadline", Real{0.01, 1, kPlain}, "Deadline of a job, relative to its period");
    v.field(&S::priorities, "priorities", OneOf{"none", "rate_monotonic", "criticality_first"},
            "Priorities of the streams: by shorter period, or by level hi and then by shorter period",
            "Liu and Layland, JACM 20(1), 1973");
    v.field(&S::release, "release", OneOf{"together", "random"},
            "Releases of the first jobs: all at once, or random within a period");
    v.field(&S::duration, "duration_us", Microseconds{1, 1e9},
            "Time until which jobs are released; default: twice the longest period of the set");
    v.field(&S::hi_share, "hi_share", Real{0, 1, kPlain}, "Probability that a task is of criticality hi",
            "Baruah et al., RTSS 2011: CP");
    v.field(&S::hi_factor, "hi_factor", Real{1, 100, kPlain},
            "Time of such a task's job with overrun, relative to a job without", "Baruah et al., RTSS 2011: CF");
    v.field(&S::overrun, "overrun", Real{0, 1, kPlain}, "Probability that a job of such a task overruns");
    v.field(&S::in_hi_mode, "in_hi_mode", OneOf{"drop", "degrade", "keep"},
            "Treatment of tasks of criticality lo in mode hi, as for a task");
    v.field(&S::degraded_every, "degraded_every", Whole{2, 1000, "jobs"},
            "With in_hi_mode: degrade, one of this many jobs runs in mode hi");
    v.field(&S::name, "name", Text{}, "Prefix of the names of tasks and applications, followed by a number from 0 on");
    v.field(&S::seed, "seed", Whole{0, ~std::uint64_t{0}, kPlain}, "Seed of the draws; default: the run's");
    v.field(&S::number, "number", Whole{0, 1000000, kPlain}, "Number of the set among those of a seed");
  }
};

/// A task that launches one kernel per job; its blocks spin.
struct DrawnTask {
  Femtoseconds period = 0, block = 0;  ///< block: duration of one block
  std::uint32_t threads = 0, blocks = 0;
  std::uint32_t waves = 1;
  bool hi = false;

  /// Execution time of a job alone, without launch overhead.
  Femtoseconds takes() const { return block * waves; }
};

/// The most urgent task comes first: by period, or by level and then period. A job takes the same time wherever its blocks
/// go. `key` determines the random draws. Throws InputError if the utilisation exceeds the number of tasks.
std::vector<DrawnTask> draw_task_set(const TaskSetSpec& spec, const GpuConfig& gpu, std::uint64_t key);
Femtoseconds longest_period(const std::vector<DrawnTask>& set);
/// The key of a workload's draws.
std::uint64_t task_set_key(const TaskSetSpec& spec, std::uint64_t seed);

/// Release times of the first jobs.
std::vector<Femtoseconds> first_releases(const TaskSetSpec& spec, const std::vector<DrawnTask>& set, std::uint64_t key);

/// Turns each task into an application with one stream, configured like `like`, with jobs until TaskSetSpec::duration. `key`
/// determines the draws of overruns.
void add_task_set(const TaskSetSpec& spec, const std::vector<DrawnTask>& set, const std::vector<Femtoseconds>& first,
                  const ApplicationSpec& like, std::uint64_t key, Workload& workload, LaunchList& launches);

}  // namespace gputlm
