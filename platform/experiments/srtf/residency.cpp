/// Effect of residency and co-runners on the duration of a block (srtf, sections 3.4.3 and 3.4.4; figures 7 to 10).
#include <fmt/format.h>

#include <algorithm>

#include "platform/experiments/srtf/runs.h"
#include "platform/lab/figure.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

constexpr unsigned kCoRunnerThreads = 256;  ///< figure 9
constexpr unsigned kBlocksOfAnSm = 8;

/// A line of a figure: runs in ascending order of residency, and their results.
struct Curve {
  std::string name;
  std::vector<ResidencyRun> runs;
  std::vector<ResidencyOutcome> outcomes;
};

double runtime_over_one(const Curve& curve, std::size_t i) {
  return ratio(curve.outcomes[i].runtime, curve.outcomes[0].runtime);
}
double t_of(const Curve& curve, std::size_t i) { return curve.outcomes[i].mean_t; }

using Value = double (*)(const Curve&, std::size_t);

/// Index of the run with this residency; the number of runs if there is none.
std::size_t at(const Curve& curve, unsigned residency) {
  const auto found = std::find_if(curve.runs.begin(), curve.runs.end(),
                                  [&](const ResidencyRun& run) { return run.residency == residency; });
  return static_cast<std::size_t>(found - curve.runs.begin());
}

/// One line per run.
Table table_of(const std::vector<Curve>& curves, const std::string& axis) {
  Table table({{"line", "", "", "kernel"},
               {"residency", "", axis},
               {"kernel"},
               {"co_runner"},
               {"co_residency", "", "Blocks of the co-runner on an SM"},
               {"mean_t", "cycles", "mean duration of a block", "", 0},
               {"runtime", "cycles", "runtime"},
               {"t_over_one", "", "duration over that at 1", "", 2},
               {"runtime_over_one", "", "runtime over that at 1", "", 2}});
  for (const Curve& curve : curves) {
    for (std::size_t i = 0; i < curve.runs.size(); ++i) {
      const ResidencyRun& run = curve.runs[i];
      table.add({curve.name, run.residency, ercbench()[run.kernel].short_name,
                 run.co_residency == 0 ? "" : ercbench()[run.co_runner].short_name, run.co_residency, t_of(curve, i),
                 curve.outcomes[i].runtime, ratio(t_of(curve, i), t_of(curve, 0)), runtime_over_one(curve, i)});
    }
  }
  return table;
}

std::vector<Curve> curves_alone(const ExperimentOptions& options) {
  std::vector<Curve> curves;
  for (const std::size_t k : srtf_kernels(options)) {
    Curve curve{ercbench()[k].short_name, {}, {}};
    for (unsigned r = 1; r <= ercbench()[k].residency; ++r) {
      if (!options.quick || r == 1 || r == 3 || r == ercbench()[k].residency) curve.runs.push_back({k, r});
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

std::vector<Curve> curves_beside_others(const ExperimentOptions& options) {
  const std::size_t sad = ercbench_index("SAD");
  std::vector<Curve> curves;
  for (std::size_t k = 0; k < ercbench().size(); ++k) {
    if (k == sad) continue;
    const unsigned others = kCoRunnerThreads / ercbench()[k].threads;
    Curve curve{ercbench()[k].short_name, {}, {}};
    for (unsigned r = 1; r + others <= kBlocksOfAnSm; ++r) {
      if (!options.quick || r == 4) curve.runs.push_back({sad, r, k, others});
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

std::vector<Curve> curves_beside_nlm2(const ExperimentOptions& options) {
  const std::size_t sad = ercbench_index("SAD"), nlm2 = ercbench_index("NLM2");
  std::vector<Curve> curves;
  for (unsigned others = 1; others < kBlocksOfAnSm; ++others) {
    if (options.quick && others != 1 && others != 7) continue;
    Curve curve{fmt::format("NLM2 x {}", others), {}, {}};
    for (unsigned r = 1; r + others <= kBlocksOfAnSm; ++r) {
      if (!options.quick || r == 1) curve.runs.push_back({sad, r, nlm2, others});
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

/// Carries out the runs of all curves at once, so that no curve waits for the last run of another.
void run_curves(const std::vector<std::vector<Curve>*>& tables, const ExperimentOptions& options) {
  ResidencyRuns runs(options);
  for (const std::vector<Curve>* curves : tables) {
    for (const Curve& curve : *curves) {
      for (const ResidencyRun& run : curve.runs) runs.add(run);
    }
  }
  runs.run();
  for (std::vector<Curve>* curves : tables) {
    for (Curve& curve : *curves) {
      for (const ResidencyRun& run : curve.runs) curve.outcomes.push_back(runs[run]);
    }
  }
}

/// The largest relative change of a value, down or up, when an SM holds one more block, in per cent.
double largest_step(const std::vector<Curve>& curves, Value cell, bool down) {
  double largest = 0;
  for (const Curve& curve : curves) {
    for (std::size_t i = 1; i < curve.runs.size(); ++i) {
      const double change = 100 * (cell(curve, i) / cell(curve, i - 1) - 1);
      largest = std::max(largest, down ? -change : change);
    }
  }
  return largest;
}

/// Figure 9: the number of its residencies at which `worst` slows SAD most.
void add_worst_co_runner(ExperimentReport& report, const std::vector<Curve>& curves, const std::string& worst) {
  const Curve& its = *std::find_if(curves.begin(), curves.end(), [&](const Curve& c) { return c.name == worst; });
  std::size_t count = 0;
  for (std::size_t i = 0; i < its.runs.size(); ++i) {
    count += std::all_of(curves.begin(), curves.end(), [&](const Curve& c) {
      const std::size_t k = at(c, its.runs[i].residency);
      return &c == &its || k == c.runs.size() || t_of(c, k) < t_of(its, i);
    });
  }
  report.all("residencies at which 256 threads of " + worst + " slow SAD most", count, its.runs.size());
}

void add_figures(ExperimentReport& report, const std::vector<Curve>& alone, const std::vector<Curve>& others,
                 const std::vector<Curve>& nlm2, const std::string& worst) {
  const auto longest = std::count_if(alone.begin(), alone.end(), [](const Curve& c) {
    return std::all_of(c.outcomes.begin(), c.outcomes.end() - 1,
                       [&](const ResidencyOutcome& o) { return o.mean_t < c.outcomes.back().mean_t; });
  });
  report.all("kernels whose blocks take longest at full residency", static_cast<std::size_t>(longest), alone.size());
  /// "0 to `most` %" for a quantity without a number in the paper.
  const auto step = [&](const char* name, const char* key, Value value, bool down, double most, const char* note) {
    report.equal(name, key, Quantity::number(largest_step(alone, value, down), 1, " %"), note);
    report.figures.back().band = Band::range(0, most, 0).named(fmt::format("0 to {:.0f} %", most));
  };
  step("a block's duration: largest decrease by one more block on an SM", "residency.shorter_with_one_more.change",
       t_of, true, 3, "presumably shared cold misses");
  step("runtime: largest increase by one more block on an SM", "residency.later_with_one_more.change", runtime_over_one,
       false, 5, "presumably the last blocks, of four waves");
  const auto banded = [&](const char* name, const std::string& key, double ours, double share, int digits) {
    const double value = reference("srtf").number(key);
    report.number(name, key, ours, digits, Band::range(value * (1 - share), value * (1 + share), digits));
  };
  const Curve& sad = *std::find_if(alone.begin(), alone.end(), [](const Curve& c) { return c.name == "SAD"; });
  banded("SAD alone, one block on an SM: its duration in cycles", "residency.sad_alone.cycles", t_of(sad, 0), 0.1, 0);
  banded("the same beside seven blocks of NLM2, over that alone", "residency.sad_beside_nlm2.over_alone",
         t_of(nlm2.back(), 0) / t_of(sad, 0), 0.2, 2);
  add_worst_co_runner(report, others, worst);
  std::size_t runs = 0, held = 0;
  for (const auto* curves : {&alone, &others, &nlm2}) {
    for (const Curve& curve : *curves) {
      runs += curve.outcomes.size();
      held += static_cast<std::size_t>(std::count_if(curve.outcomes.begin(), curve.outcomes.end(),
                                                     [](const ResidencyOutcome& o) { return o.held; }));
    }
  }
  report.all("runs in which the SMs held as many blocks as meant", held, runs);
}

ExperimentReport residency(const ExperimentOptions& options) {
  std::vector<Curve> alone = curves_alone(options), others = curves_beside_others(options),
                     nlm2 = curves_beside_nlm2(options);
  run_curves({&alone, &others, &nlm2}, options);
  ExperimentReport report{"srtf"};
  const auto add = [&](const std::string& figure, const char* title, const std::vector<Curve>& curves, const char* axis,
                       const char* value) {
    const Table table = table_of(curves, axis);
    report.tables.push_back(
        {std::string(title) + " (" + figure + ")", pivot(table, {"line"}, "residency", {value}), figure});
    report.charts.push_back({line_chart(table, {"residency", value, {"line"}}), figure});
    report.tables.push_back({"", table, figure + "-runs"});
  };
  add("figure7", "Duration of a block over that with one block on an SM, by the blocks on an SM", alone,
      "blocks on an SM", "t_over_one");
  add("figure8", "Runtime over that with one block on an SM, by the blocks on an SM", alone, "blocks on an SM",
      "runtime_over_one");
  add("figure9", "Duration of SAD's blocks beside 256 threads of another kernel, by SAD's blocks on an SM", others,
      "blocks of SAD on an SM", "mean_t");
  add("figure10", "Duration of SAD's blocks by their number on an SM, beside blocks of NLM2", nlm2,
      "blocks of SAD on an SM", "mean_t");
  add_figures(report, alone, others, nlm2, options.policy(reference("srtf").text("residency.slows_sad_most.kernel")));
  return report;
}

GPUTLM_REGISTER { add_experiment("srtf/residency", residency); }

}  // namespace
}  // namespace gputlm
