/// A real-time engineer's question about qaws: how many random sets of periodic kernels meet all their deadlines under each
/// warp scheduler.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "models/kernel/random.h"
#include "platform/experiments/qaws/runs.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

// A 27th of titan_v, rounded to whole units: one of 24 channels for 3 of 80 SMs.
constexpr unsigned kSms = 3;
constexpr unsigned kWarps = 8;  // warps per task and SM: whole blocks of all programs but his, with room for all tasks
constexpr unsigned kTasks = 4;
constexpr std::array<unsigned, kTasks> kBudgets{1, 2, 4, 8};  // a shorter period gets a larger budget (rate-monotonic)
constexpr Cycle kMax = 5000;                                  // maximum response time of a job alone
constexpr unsigned kClasses = 10, kClassWidth = 200;          // classes of utilisation, thousandths, from kClassWidth
constexpr unsigned kMinUtilisation = 50;                      // utilisation per task, in thousandths
constexpr unsigned kSetsInARun = 20;

struct Task {
  unsigned program = 0;  ///< index of the program in the variants
  Cycle period = 0;      ///< period, which is also the deadline
  unsigned jobs = 0;
};
using TaskSet = std::array<Task, kTasks>;  ///< tasks of a set, the one with the longest period first

struct Piece {
  std::string program;
  unsigned shorter = 1;  ///< as in QawsShape
};

/// A program shortened so that a job alone takes at most kMax cycles.
struct Variant {
  Piece job;
  Cycle alone = 0;
};

/// kSetsInARun task sets, in sequence.
struct Batch {
  std::uint64_t number = 0;
  std::string policy;
};

GpuConfig gpu(const std::string& policy) {
  return experiment_gpu("titan_v", {{"sms", std::to_string(kSms)},
                                    {"dram.channels", "1"},
                                    {"l2.bytes", "196608"},
                                    {"work_distributor.host_latency", "20"},  // the host is not examined here
                                    {"sm.warp_scheduler", policy}});
}

Cycle response(const LaunchOutcome& job) { return job.notified - job.released; }

/// The longest form of each program that is short enough, if there is one.
std::vector<Variant> variants(const ExperimentOptions& options) {
  RunSet<Piece> runs;
  for (const std::string name : kQawsPrograms) {
    if (name == "his") continue;  // blocks of six warps
    for (unsigned shorter = 1; shorter <= 128; shorter *= 2) {
      Run run{gpu("lrr"), workload_of_streams(1)};
      launch(run.workload, 0, qaws_kernel(name, {kSms, {kWarps}, shorter, 0}, options.seed));
      runs.add({name, shorter}, std::move(run));
    }
  }
  runs.run(options.jobs());
  std::vector<Variant> chosen;
  for (const Piece& job : runs.keys()) {
    const Cycle alone = response(launch_outcomes(runs.result(job)).front());
    if (alone > kMax || (!chosen.empty() && chosen.back().job.program == job.program)) continue;
    chosen.push_back({job, alone});
  }
  return chosen;
}

/// Utilisations are uniform on the simplex: differences of sorted uniform numbers, as in UUniFast (Bini and Buttazzo,
/// "Measuring the Performance of Schedulability Tests", Real-Time Systems 30, 2005), in whole thousandths.
TaskSet task_set(unsigned number, const std::vector<Variant>& programs, std::uint64_t seed) {
  const auto draw = [&, name = hash_name("deadlines")](unsigned position, std::uint64_t n) {
    return uniform_below(random_bits(seed, name, number, 0, position), n);
  };
  const std::uint64_t total = kClassWidth * (1 + number % kClasses) + draw(0, kClassWidth);
  const std::uint64_t rest = total - kTasks * kMinUtilisation;
  std::array<std::uint64_t, kTasks + 1> cuts{};
  for (unsigned i = 1; i < kTasks; ++i) cuts[i] = draw(i, rest + 1);
  cuts[kTasks] = rest;
  std::sort(cuts.begin(), cuts.end());
  TaskSet set;
  for (unsigned i = 0; i < kTasks; ++i) {
    set[i].program = static_cast<unsigned>(draw(kTasks + i, programs.size()));
    set[i].period = programs[set[i].program].alone * 1000 / (kMinUtilisation + cuts[i + 1] - cuts[i]);
  }
  std::stable_sort(set.begin(), set.end(), [](const Task& a, const Task& b) { return a.period > b.period; });
  for (Task& task : set) task.jobs = static_cast<unsigned>(2 * set.front().period / task.period);
  return set;
}

/// Task sets in sequence, each as a phase that starts when everything of the previous one has ended. The first jobs of a set
/// are released together, that of the longest period a cycle earlier.
Run task_sets_run(const std::vector<TaskSet>& sets,
                  const std::vector<std::array<std::shared_ptr<Kernel>, kTasks>>& kernels, const std::string& policy) {
  Run run{gpu(policy), workload_of_streams(kTasks)};
  const Clock clock = Clock::from_mhz(run.config.core_mhz);
  for (unsigned phase = 0; phase < sets.size(); ++phase) {
    const TaskSet& set = sets[phase];
    for (unsigned job = 0; job < set.back().jobs; ++job) {  // the task of the shortest period has the most jobs
      for (unsigned t = 0; t < kTasks; ++t) {
        if (job >= set[t].jobs) continue;
        const std::size_t id = launch(run.workload, static_cast<StreamId>(t), kernels[set[t].program][t],
                                      clock.edge(job * set[t].period), phase);
        run.workload.launches[id].budget = static_cast<std::uint8_t>(kBudgets[t]);
      }
    }
  }
  return run;
}

/// The outcome of the task sets of one class under one policy.
struct Tally {
  unsigned sets = 0, sets_met = 0;
  unsigned jobs = 0, jobs_met = 0;
  unsigned urgent = 0, urgent_met = 0;  ///< jobs of the tasks with the shortest period of their sets
  void add(const Tally& other) {
    sets += other.sets;
    sets_met += other.sets_met;
    jobs += other.jobs;
    jobs_met += other.jobs_met;
    urgent += other.urgent;
    urgent_met += other.urgent_met;
  }
};

/// The jobs of a task set, in the order of task_sets_run().
Tally judge(const TaskSet& set, std::vector<LaunchOutcome>::const_iterator job) {
  Tally tally;
  tally.sets = 1;
  for (unsigned j = 0; j < set.back().jobs; ++j) {
    for (unsigned t = 0; t < kTasks; ++t) {
      if (j >= set[t].jobs) continue;
      const bool met = response(*job++) <= set[t].period;
      ++tally.jobs;
      tally.jobs_met += met;
      if (t + 1 == kTasks) {
        ++tally.urgent;
        tally.urgent_met += met;
      }
    }
  }
  tally.sets_met = tally.jobs_met == tally.jobs;
  return tally;
}

unsigned jobs_of(const TaskSet& set) {
  unsigned jobs = 0;
  for (const Task& task : set) jobs += task.jobs;
  return jobs;
}

ExperimentReport deadlines(const ExperimentOptions& options) {
  const unsigned count = options.quick ? 20 : 1000;
  const std::vector<Variant> programs = variants(options);
  std::vector<std::array<std::shared_ptr<Kernel>, kTasks>> kernels(programs.size());
  for (std::size_t p = 0; p < programs.size(); ++p) {
    for (unsigned t = 0; t < kTasks; ++t) {
      kernels[p][t] = qaws_kernel(programs[p].job.program, {kSms, {kWarps}, programs[p].job.shorter, t}, options.seed);
    }
  }
  const std::vector<std::string> policies{"lrr", "gto", "two_level", options.policy("qaws")};
  std::vector<std::vector<TaskSet>> batches;
  for (unsigned i = 0; i < count; ++i) {
    if (i % kSetsInARun == 0) batches.emplace_back();
    batches.back().push_back(task_set(i, programs, options.seed));
  }
  RunSet<Batch> runs;
  for (std::size_t b = 0; b < batches.size(); ++b) {
    for (const std::string& p : policies) {  // a test may name one twice
      if (!runs.has({b, p})) runs.add({b, p}, task_sets_run(batches[b], kernels, p));
    }
  }
  runs.run(options.jobs());

  std::vector<std::array<Tally, kClasses>> tallies(policies.size());
  for (std::size_t b = 0; b < batches.size(); ++b) {
    for (std::size_t p = 0; p < policies.size(); ++p) {
      const std::vector<LaunchOutcome> jobs = launch_outcomes(runs.result({b, policies[p]}));
      auto job = jobs.begin();
      for (std::size_t i = 0; i < batches[b].size(); ++i) {
        tallies[p][(b * kSetsInARun + i) % kClasses].add(judge(batches[b][i], job));
        job += jobs_of(batches[b][i]);
      }
    }
  }

  Table table({{"utilisation", "", "utilisation of the task sets"},
               {"policy"},
               {"sets"},
               {"sets_met", "", "Sets of which all deadlines are met"},
               {"sets_met_share", "", "share of task sets that meet all deadlines", "", 3},
               {"jobs"},
               {"jobs_met_share", "", "Share of jobs that meet theirs", "", 3},
               {"urgent_jobs", "", "Jobs of the shortest period of their set"},
               {"urgent_jobs_met_share", "", "Share of these", "", 3}});
  const auto add = [&](const std::string& utilisation, std::size_t p, const Tally& t) {
    const std::string& name = p + 1 == policies.size() ? "qaws" : policies[p];
    table.add({utilisation, name, t.sets, t.sets_met, ratio(t.sets_met, t.sets), t.jobs, ratio(t.jobs_met, t.jobs),
               t.urgent, ratio(t.urgent_met, t.urgent)});
  };
  std::vector<Tally> total(policies.size());
  for (unsigned c = 0; c < kClasses; ++c) {
    for (std::size_t p = 0; p < policies.size(); ++p) {
      total[p].add(tallies[p][c]);
      add(fmt::format("{:.1f} to {:.1f}", kClassWidth * (c + 1) / 1000.0, kClassWidth * (c + 2) / 1000.0), p,
          tallies[p][c]);
    }
  }
  ExperimentReport report{"qaws"};
  report.charts = {{line_chart(table, {"utilisation", "sets_met_share", {"policy"}})}};
  for (std::size_t p = 0; p < policies.size(); ++p) add("all", p, total[p]);
  const auto by_policy = [&](const char* value) { return pivot(table, {"utilisation"}, "policy", {value}); };
  Table alone({{"program"}, {"alone_cycles", "core cycles", "Response time of a job alone"}});
  for (const Variant& v : programs) alone.add({v.job.program, v.alone});
  report.tables = {{"Jobs, and their response times alone", alone, "alone"},
                   {fmt::format("Sets that meet all deadlines, of {}", count), by_policy("sets_met"), "sets"},
                   {"Share of jobs that meet theirs", by_policy("jobs_met_share"), "jobs"},
                   {"Share of jobs of the shortest period that do", by_policy("urgent_jobs_met_share"), "urgent"},
                   {"", table}};
  for (const std::size_t than : {0, 1}) {
    report.trend("task sets that meet all deadlines: QAWS over " + policies[than], "deadlines.over_" + policies[than],
                 fmt::format("{} over {}", total.back().sets_met, total[than].sets_met), "more",
                 total.back().sets_met > total[than].sets_met);
  }
  return report;
}

GPUTLM_REGISTER { add_experiment("qaws/deadlines", deadlines); }

}  // namespace
}  // namespace gputlm
