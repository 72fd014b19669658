/// Random sets of periodic tasks, drawn by UUniFast: utilisations that add up to one that is given, each such set as likely as
/// any other (Bini and Buttazzo, "Measuring the Performance of Schedulability Tests", Real-Time Systems 30, 2005). Where a task
/// of its own would have more than all of the GPU's time, the set is drawn again (UUniFast-Discard: Davis and Burns, "Priority
/// Assignment for Global Fixed Priority Pre-emptive Scheduling in Multiprocessor Real-Time Systems", RTSS 2009).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "platform/input/launch_list.h"

namespace gputlm {

/// What a set is drawn from, and how its tasks run: `tasks: {uunifast: ...}` of a workload file.
struct TaskSetSpec {
  /// Which stream is more urgent.
  enum class Priorities : std::uint8_t {
    kNone,         ///< all alike
    kRate,         ///< the shorter period (Liu and Layland, JACM 20(1), 1973)
    kCriticality,  ///< level hi before level lo, and there the shorter period
  };
  enum class Release : std::uint8_t { kTogether, kRandom };

  std::uint32_t tasks = 1;
  double utilisation = 0.5;
  Femtoseconds shortest_period = 0, longest_period = 0;
  Femtoseconds shortest_block = 10'000'000'000, longest_block = 100'000'000'000;
  std::optional<std::uint32_t> threads = std::nullopt;
  std::optional<std::uint32_t> blocks = std::nullopt;
  double deadline = 1;  ///< as a share of the period
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
    v.required(&S::tasks, "tasks", Whole{1, 256, "tasks"}, "How many");
    v.required(&S::utilisation, "utilisation", Real{0.001, 256, kPlain},
               "Of all tasks: sum of what a job takes alone over its period, in level lo",
               "Bini and Buttazzo, RTS 30, 2005: UUniFast");
    v.required(&S::shortest_period, "shortest_period_us", Microseconds{1, 1e7}, "Periods are drawn from here ...",
               "Emberson et al., WATERS 2010: log-uniform");
    v.required(&S::longest_period, "longest_period_us", Microseconds{1, 1e7},
               "... to here, evenly on a logarithmic scale");
    v.field(&S::shortest_block, "shortest_block_us", Microseconds{0.1, 1e7},
            "Times of blocks are drawn likewise: a kernel has as many waves of them as its time wants");
    v.field(&S::longest_block, "longest_block_us", Microseconds{0.1, 1e7}, "The longest block");
    v.field(&S::threads, "threads", Whole{1, 1024, "threads"}, "Of a block; default drawn from 64, 128 ... 1024");
    v.field(&S::blocks, "blocks", Whole{1, 1000000, "blocks"},
            "Of each kernel; default as many as fill the GPU in each wave but the last");
    v.field(&S::deadline, "deadline", Real{0.01, 1, kPlain}, "Of a job, as a share of its period");
    v.field(&S::priorities, "priorities", OneOf{"none", "rate_monotonic", "criticality_first"},
            "Of the streams: the shorter period is more urgent; or level hi is, and then the shorter period",
            "Liu and Layland, JACM 20(1), 1973");
    v.field(&S::release, "release", OneOf{"together", "random"}, "Of the first jobs: all at once, or within a period");
    v.field(&S::duration, "duration_us", Microseconds{1, 1e9},
            "Jobs are released before; default twice the longest period of the set");
    v.field(&S::hi_share, "hi_share", Real{0, 1, kPlain}, "Probability that a task is of criticality hi",
            "Baruah et al., RTSS 2011: CP");
    v.field(&S::hi_factor, "hi_factor", Real{1, 100, kPlain},
            "Of such a task: what a job takes that overruns, over what one takes that does not",
            "Baruah et al., RTSS 2011: CF");
    v.field(&S::overrun, "overrun", Real{0, 1, kPlain}, "Probability that a job of such a task overruns");
    v.field(&S::in_hi_mode, "in_hi_mode", OneOf{"drop", "degrade", "keep"}, "Of tasks of criticality lo, as of a task");
    v.field(&S::degraded_every, "degraded_every", Whole{2, 1000, "jobs"}, "Likewise");
    v.field(&S::name, "name", Text{}, "Tasks and their applications are called so, with a number from 0 behind it");
    v.field(&S::seed, "seed", Whole{0, ~std::uint64_t{0}, kPlain}, "Of what is drawn; default the run's");
    v.field(&S::number, "number", Whole{0, 1000000, kPlain}, "Of the set, among those of a seed");
  }
};

/// A task launches a kernel each time, whose blocks spin.
struct DrawnTask {
  Femtoseconds period = 0, block = 0;  ///< block: how long each takes
  std::uint32_t threads = 0, blocks = 0;
  std::uint32_t waves = 1;
  bool hi = false;

  /// Of a job alone, without what launching takes.
  Femtoseconds takes() const { return block * waves; }
};

/// The most urgent first: in the order of the periods, or those of level hi before. What a job takes does not depend on
/// where blocks go. `key`: of the draws. Throws InputError if utilisations are above the number of tasks.
std::vector<DrawnTask> draw_task_set(const TaskSetSpec& spec, const GpuConfig& gpu, std::uint64_t key);
Femtoseconds longest_period(const std::vector<DrawnTask>& set);
/// That of a workload.
std::uint64_t task_set_key(const TaskSetSpec& spec, std::uint64_t seed);

/// When the first jobs of the tasks are released.
std::vector<Femtoseconds> first_releases(const TaskSetSpec& spec, const std::vector<DrawnTask>& set, std::uint64_t key);

/// Each task becomes an application with a stream, like `like`, with jobs until TaskSetSpec::duration. `key`: of the overruns.
void add_task_set(const TaskSetSpec& spec, const std::vector<DrawnTask>& set, const std::vector<Femtoseconds>& first,
                  const ApplicationSpec& like, std::uint64_t key, Workload& workload, LaunchList& launches);

}  // namespace gputlm
