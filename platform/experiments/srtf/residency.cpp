/// How residency and co-runners change the duration of a block (srtf, sections 3.4.3 and 3.4.4; figures 7 to 10).
#include <fmt/format.h>

#include <algorithm>

#include "platform/experiments/srtf/residency_runs.h"
#include "platform/experiments/srtf/runs.h"
#include "platform/experiments/srtf/srtf.h"
#include "platform/files/atomic_file.h"
#include "platform/lab/chart_files.h"
#include "platform/lab/metrics.h"
#include "platform/lab/reference.h"

namespace gputlm {
namespace {

constexpr unsigned kCoRunnerThreads = 256;  ///< figure 9
constexpr unsigned kBlocksOfAnSm = 8;

/// A line of a figure: runs in ascending order of residency, and what came out.
struct Curve {
  std::string name;
  std::vector<ResidencyRun> runs;
  std::vector<ResidencyOutcome> outcomes;
};

double t_over_one(const Curve& curve, std::size_t i) {
  return ratio(curve.outcomes[i].mean_t, curve.outcomes[0].mean_t);
}
double runtime_over_one(const Curve& curve, std::size_t i) {
  return ratio(curve.outcomes[i].runtime, curve.outcomes[0].runtime);
}
double t_of(const Curve& curve, std::size_t i) { return curve.outcomes[i].mean_t; }
double thousands_of_t(const Curve& curve, std::size_t i) { return t_of(curve, i) / 1000; }

using Cell = double (*)(const Curve&, std::size_t);

/// All that occur, in ascending order.
std::vector<unsigned> residencies(const std::vector<Curve>& curves) {
  std::vector<unsigned> all;
  for (const Curve& curve : curves) {
    for (const ResidencyRun& run : curve.runs) all.push_back(run.residency);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

/// Index of the run with this residency; that of no run if there is none.
std::size_t at(const Curve& curve, unsigned residency) {
  const auto found = std::find_if(curve.runs.begin(), curve.runs.end(),
                                  [&](const ResidencyRun& run) { return run.residency == residency; });
  return static_cast<std::size_t>(found - curve.runs.begin());
}

std::string table(const std::string& title, const std::vector<Curve>& curves, Cell cell, int decimals) {
  std::string text = fmt::format("{:<12}", "");
  for (const unsigned r : residencies(curves)) text += fmt::format(" {:>6}", r);
  for (const Curve& curve : curves) {
    text += fmt::format("\n{:<12}", curve.name);
    for (const unsigned r : residencies(curves)) {
      const std::size_t i = at(curve, r);
      text += i == curve.runs.size() ? fmt::format(" {:>6}", "") : fmt::format(" {:>6.{}f}", cell(curve, i), decimals);
    }
  }
  return text + "\n" + title + "\n\n";
}

Chart chart(const std::string& x_axis, const std::string& y_axis, const std::vector<Curve>& curves, Cell cell) {
  LineChart::Panel panel{x_axis, y_axis};
  for (const unsigned r : residencies(curves)) panel.ticks.push_back({static_cast<double>(r), std::to_string(r)});
  for (const Curve& curve : curves) {
    LineChart::Line& line = panel.lines.emplace_back(LineChart::Line{curve.name, {}});
    for (std::size_t i = 0; i < curve.runs.size(); ++i)
      line.points.emplace_back(curve.runs[i].residency, cell(curve, i));
  }
  return LineChart{"", {panel}};
}

std::string csv(const std::vector<const std::vector<Curve>*>& tables) {
  std::string csv = "kernel,residency,co_runner,co_residency,mean_t,runtime\n";
  for (const std::vector<Curve>* curves : tables) {
    for (const Curve& curve : *curves) {
      for (std::size_t i = 0; i < curve.runs.size(); ++i) {
        const ResidencyRun& run = curve.runs[i];
        const ResidencyOutcome& outcome = curve.outcomes[i];
        csv += fmt::format("{},{},{},{},{:.1f},{}\n", ercbench()[run.kernel].short_name, run.residency,
                           run.co_residency == 0 ? "" : ercbench()[run.co_runner].short_name, run.co_residency,
                           outcome.mean_t, outcome.runtime);
      }
    }
  }
  return csv;
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

/// Carries out the runs of all curves at once, so that none waits for the others' last.
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

/// The largest relative change of a value, downwards or upwards, when an SM holds one more block, in per cent.
double largest_step(const std::vector<Curve>& curves, Cell cell, bool down) {
  double largest = 0;
  for (const Curve& curve : curves) {
    for (std::size_t i = 1; i < curve.runs.size(); ++i) {
      const double change = 100 * (cell(curve, i) / cell(curve, i - 1) - 1);
      largest = std::max(largest, down ? -change : change);
    }
  }
  return largest;
}

Quantity paper(const std::string& key) { return reference("srtf").at("residency." + key); }

/// "0 to `most` %" of what the paper has none of.
Figure step_figure(const std::string& name, const std::string& key, double percent, double most,
                   const std::string& note) {
  return {name, paper(key), Quantity::number(percent, 1, " %"),
          Band::range(0, most, 0).named(fmt::format("0 to {:.0f} %", most)), note};
}

Figure banded_figure(const std::string& name, const std::string& key, double ours, double share, int digits) {
  const Quantity& text = paper(key);
  const double value = *text.number();
  return {name, text, Quantity::number(ours, digits), Band::range(value * (1 - share), value * (1 + share), digits),
          ""};
}

std::string of(std::size_t count, std::size_t all) { return fmt::format("{} of {}", count, all); }

/// Figure 9: at how many of its residencies it is `worst` that slows SAD most.
Figure worst_co_runner(const std::vector<Curve>& curves, const std::string& worst) {
  const Curve& its = *std::find_if(curves.begin(), curves.end(), [&](const Curve& c) { return c.name == worst; });
  std::size_t count = 0;
  for (std::size_t i = 0; i < its.runs.size(); ++i) {
    count += std::all_of(curves.begin(), curves.end(), [&](const Curve& c) {
      const std::size_t k = at(c, its.runs[i].residency);
      return &c == &its || k == c.runs.size() || t_of(c, k) < t_of(its, i);
    });
  }
  return {fmt::format("residencies at which 256 threads of {} slow SAD most", worst),
          of(its.runs.size(), its.runs.size()), of(count, its.runs.size()), Band::exact(), ""};
}

std::vector<Figure> figures(const std::vector<Curve>& alone, const std::vector<Curve>& others,
                            const std::vector<Curve>& nlm2, const std::string& worst) {
  const auto longest = std::count_if(alone.begin(), alone.end(), [](const Curve& c) {
    return std::all_of(c.outcomes.begin(), c.outcomes.end() - 1,
                       [&](const ResidencyOutcome& o) { return o.mean_t < c.outcomes.back().mean_t; });
  });
  const Curve& sad = *std::find_if(alone.begin(), alone.end(), [](const Curve& c) { return c.name == "SAD"; });
  std::size_t runs = 0, held = 0;
  for (const auto* curves : {&alone, &others, &nlm2}) {
    for (const Curve& curve : *curves) {
      runs += curve.outcomes.size();
      held += static_cast<std::size_t>(std::count_if(curve.outcomes.begin(), curve.outcomes.end(),
                                                     [](const ResidencyOutcome& o) { return o.held; }));
    }
  }
  return {
      {"kernels whose blocks take longest at full residency", of(alone.size(), alone.size()),
       of(static_cast<std::size_t>(longest), alone.size()), Band::exact(), ""},
      step_figure("a block's duration: largest decrease by one more block on an SM", "shorter_with_one_more.change",
                  largest_step(alone, t_of, true), 3, "presumably shared cold misses"),
      step_figure("runtime: largest increase by one more block on an SM", "later_with_one_more.change",
                  largest_step(alone, runtime_over_one, false), 5, "presumably the last blocks, of four waves"),
      banded_figure("SAD alone, one block on an SM: its duration in cycles", "sad_alone.cycles", t_of(sad, 0), 0.1, 0),
      banded_figure("the same beside seven blocks of NLM2, over that alone", "sad_beside_nlm2.over_alone",
                    t_of(nlm2.back(), 0) / t_of(sad, 0), 0.2, 2),
      worst_co_runner(others, worst),
      {"runs in which the SMs held as many blocks as meant", of(runs, runs), of(held, runs), Band::exact(), ""},
  };
}

}  // namespace

GPUTLM_REGISTER {
  experiments().add({{"srtf/residency", 501},
                     "Duration of a block by residency and beside co-runners (figures 7 to 10)",
                     [](const ExperimentOptions& options) { return srtf_residency(options); }});
}

ExperimentReport srtf_residency(const ExperimentOptions& options, const std::string& worst) {
  std::vector<Curve> alone = curves_alone(options), others = curves_beside_others(options),
                     nlm2 = curves_beside_nlm2(options);
  run_curves({&alone, &others, &nlm2}, options);
  ExperimentReport report;
  report.text =
      table("Duration of a block over that with one block on an SM, by the blocks on an SM (figure 7)", alone,
            t_over_one, 2) +
      table("Runtime over that with one block on an SM, by the blocks on an SM (figure 8)", alone, runtime_over_one,
            2) +
      table("Duration of SAD's blocks beside 256 threads of another kernel, by SAD's blocks on an SM (figure 9)",
            others, t_of, 0) +
      table("Duration of SAD's blocks beside so many of NLM2, by SAD's blocks on an SM (figure 10)", nlm2, t_of, 0);
  report.figures = figures(alone, others, nlm2, worst.empty() ? paper("slows_sad_most.kernel").text() : worst);
  if (!options.out.empty()) {
    const std::string axis = "blocks on an SM", sad_axis = "blocks of SAD on an SM";
    write_file(options.out + "/srtf-residency.csv", csv({&alone, &others, &nlm2}));
    write_chart(options.out + "/srtf-figure7.svg", chart(axis, "duration over that at 1", alone, t_over_one));
    write_chart(options.out + "/srtf-figure8.svg", chart(axis, "runtime over that at 1", alone, runtime_over_one));
    write_chart(options.out + "/srtf-figure9.svg",
                chart(sad_axis, "thousand cycles of a block", others, thousands_of_t));
    write_chart(options.out + "/srtf-figure10.svg",
                chart(sad_axis, "thousand cycles of a block", nlm2, thousands_of_t));
  }
  return report;
}

}  // namespace gputlm
