#include "platform/experiments/qaws/runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>

#include "models/kernel/program_kernel.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "platform/lab/metrics.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

constexpr Cycle kApart = 8;  // section V-B: K2 is launched "8 cycles in GPGPU-Sim" after K1

Run make_run(const QawsRun& run, const ExperimentOptions& options) {
  Run result{plan("qaws/homogeneous").config_with({{"sm.warp_scheduler", run.policy}}),
             workload_of_streams(static_cast<unsigned>(run.kernels.size()))};
  const Clock clock = Clock::from_mhz(result.config.core_mhz);
  for (unsigned i = 0; i < run.kernels.size(); ++i) {
    const QawsShape shape{result.config.sms, run.reading, options.quick ? 4u : 1u, i};
    const std::size_t id =
        launch(result.workload, i, qaws_kernel(run.kernels[i].program, shape, options.seed), clock.edge(kApart * i));
    result.workload.launches[id].budget = static_cast<std::uint8_t>(run.kernels[i].budget);
  }
  return result;
}

/// Whether every SM has the same number of warps of each kernel, and no block waited for another of its kernel to end.
bool even(const QawsRun& run, const Run& made, const std::vector<LaunchOutcome>& launches) {
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const Kernel& kernel = *made.workload.launches[i].kernel;
    const auto warps = static_cast<unsigned>((kernel.block.count() + kWarpSize - 1) / kWarpSize);
    std::map<SmId, unsigned> on_sm;
    Cycle last_start = 0, first_end = kNever;
    for (const BlockRecord& block : launches[i].blocks) {
      on_sm[block.sm] += warps;
      last_start = std::max(last_start, block.start);
      first_end = std::min(first_end, block.end);
    }
    if (on_sm.size() != made.config.sms || last_start >= first_end) return false;
    for (const auto& [sm, count] : on_sm) {
      if (count != run.reading.warps) return false;
    }
  }
  return true;
}

constexpr Address kInstanceBytes = Address{1} << 40;
constexpr Bytes kSmallestInput = 32768;  ///< smaller footprints belong to tables

WorkElement& work_of(ProgramSpec& spec) {
  const auto found = std::find_if(spec.body.begin(), spec.body.end(),
                                  [](const auto& e) { return std::holds_alternative<WorkElement>(e.what); });
  assert(found != spec.body.end());
  return std::get<WorkElement>(found->what);
}

/// `wanted` units, or the number that makes whole rows.
Dim3 units_of(const Dim3& written, std::uint32_t wanted) {
  if (written.y == 1 || wanted < written.x) return {wanted};
  return {written.x, (wanted + written.x - 1) / written.x};
}

struct RemoveFootprint {
  void operator()(CoalescedPattern& p) const { remove(p.footprint); }
  void operator()(IndexedPattern& p) const { remove(p.footprint); }
  template <class Other>
  void operator()(Other&) const {}
  static void remove(Bytes& footprint) {
    if (footprint >= kSmallestInput) footprint = 0;
  }
};

}  // namespace

double QawsOutcome::mean() const { return gputlm::mean({response.begin(), response.end()}); }

void QawsRuns::add(const QawsRun& run) {
  if (!runs_.has(run)) runs_.add(run, make_run(run, options_));
}

QawsOutcome QawsRuns::operator[](const QawsRun& run) const {
  const std::vector<LaunchOutcome> launches = launch_outcomes(runs_.result(run));
  QawsOutcome outcome;
  for (const LaunchOutcome& l : launches) outcome.response.push_back(l.end - l.arrived);
  outcome.even = even(run, runs_.request(run), launches);
  std::uint64_t memory = 0, all = 0;
  for (const KernelRecord& k : runs_.result(run).kernels) {
    memory += k.counters.stall[static_cast<std::size_t>(Stall::kMemory)];
    all +=
        k.counters.instructions + std::accumulate(k.counters.stall.begin(), k.counters.stall.end(), std::uint64_t{0});
  }
  outcome.waits_for_memory = ratio(memory, all);
  return outcome;
}

ProgramSpec qaws_program(const std::string& name, const QawsShape& shape) {
  const Address base = (shape.instance + 1) * kInstanceBytes;
  ProgramSpec spec = embedded_program(qaws_program_sources(), "workloads/qaws", name, base);
  const QawsReading& reading = shape.reading;
  const auto warps = static_cast<unsigned>((spec.block.count() + kWarpSize - 1) / kWarpSize);
  if (reading.warps == 0 || reading.warps % warps != 0) {
    throw InputError(fmt::format("{} warps of '{}' on an SM: its blocks have {}", reading.warps, name, warps));
  }
  WorkElement& work = work_of(spec);
  const std::uint64_t written = spec.grid.count();
  spec.grid = {shape.sms * (reading.warps / warps)};
  work.schedule = reading.schedule;
  work.units = units_of(work.units, static_cast<std::uint32_t>(std::max<std::uint64_t>(
                                        spec.grid.x, work.units.count() * spec.grid.x / written / shape.shorter)));
  if (!reading.inputs_fit) {
    for (AddressPattern& pattern : spec.patterns) std::visit(RemoveFootprint(), pattern.shape);
  }
  return spec;
}

std::shared_ptr<Kernel> qaws_kernel(const std::string& name, const QawsShape& shape, std::uint64_t seed) {
  return std::make_shared<ProgramKernel>(qaws_program(name, shape), seed);
}

double QawsPair::improvement(std::size_t k, const QawsOutcome& outcome, const QawsOutcome& baseline) const {
  return 1 - ratio(outcome.response[k], baseline.response[k]);
}

bool QawsPair::even() const {
  return lrr.even && lrr_greedy.even && gto.even &&
         std::all_of(qaws.begin(), qaws.end(), [](const QawsOutcome& o) { return o.even; });
}

QawsPairs run_qaws_pairs(const Study::Programs& pairs, const ExperimentOptions& options) {
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
