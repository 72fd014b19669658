/// Figures 4 and 11 of srtf: predicted runtimes of the ERCBench kernels relative to the actual ones.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "platform/experiments/srtf/runs.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

/// The data of a boxplot.
struct Spread {
  std::size_t count = 0;
  double least = 0, quarter = 0, median = 0, three_quarters = 0, most = 0;
};

Spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(std::lround(share * static_cast<double>(values.size() - 1)))];
  };
  return {values.size(), values.front(), at(0.25), at(0.5), at(0.75), values.back()};
}

double share_between(const std::vector<double>& values, double from, double to) {
  const auto inside = std::count_if(values.begin(), values.end(), [&](double v) { return v >= from && v <= to; });
  return ratio(static_cast<double>(inside), static_cast<double>(values.size()));
}

/// Predictions relative to actual runtimes, by kernel.
struct Group {
  const char* name;
  std::map<std::size_t, std::vector<double>> of_kernel{};
  std::vector<double> all() const {
    std::vector<double> result;
    for (const auto& [kernel, values] : of_kernel) result.insert(result.end(), values.begin(), values.end());
    return result;
  }
};

/// The blocks of one SM, in the order of their ends.
std::map<SmId, std::vector<BlockRecord>> by_sm(const LaunchOutcome& launch) {
  std::map<SmId, std::vector<BlockRecord>> result;
  for (const BlockRecord& block : launch.blocks) result[block.sm].push_back(block);
  for (auto& [sm, blocks] : result) {
    std::sort(blocks.begin(), blocks.end(), [](const auto& a, const auto& b) { return a.end < b.end; });
  }
  return result;
}

/// Equation 1, with t the duration of the first block to end on the SM, and N an even share of the grid; and a least-squares
/// fit over the ends of all its blocks (section 3.2). Both relative to the SM's runtime.
void add_models(std::size_t kernel, const LaunchOutcome& launch, Group& staircase, Group& regression) {
  const auto sms = by_sm(launch);
  const std::uint64_t share = (launch.blocks.size() + sms.size() - 1) / sms.size();
  for (const auto& [sm, blocks] : sms) {
    const Cycle start = std::min_element(blocks.begin(), blocks.end(), [](const auto& a, const auto& b) {
                          return a.start < b.start;
                        })->start;
    const auto actual = static_cast<double>(blocks.back().end - start);
    const unsigned residency = ercbench()[kernel].residency;
    const Cycle t = blocks.front().end - blocks.front().start;
    const std::uint64_t waves = (share + residency - 1) / residency;
    staircase.of_kernel[kernel].push_back(static_cast<double>(waves * t) / actual);
    if (blocks.size() < 2) continue;
    const auto n = static_cast<double>(blocks.size());
    double x = 0, y = 0, xx = 0, xy = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const auto at = static_cast<double>(i + 1), end = static_cast<double>(blocks[i].end - start);
      x += at;
      y += end;
      xx += at * at;
      xy += at * end;
    }
    const double slope = (n * xy - x * y) / (n * xx - x * x);
    regression.of_kernel[kernel].push_back(((y - slope * x) / n + slope * n) / actual);
  }
}

/// The simple slicing predictor on each SM: its first prediction (not aware of slices), and the first of the last slice.
void add_slicing(std::size_t kernel, const LaunchOutcome& launch, Group& unaware, Group& aware) {
  std::map<SmId, std::pair<const PredictionRecord*, const PredictionRecord*>> of_sm;
  for (const PredictionRecord& p : launch.predictions) {
    auto& [first, last] = of_sm[p.made.sm];
    if (!first) first = &p;
    if (p.made.first_of_slice) last = &p;
  }
  const auto over = [](const PredictionRecord& p) {
    return static_cast<double>(p.made.predicted) / static_cast<double>(p.actual.value());
  };
  for (const auto& [sm, p] : of_sm) {
    unaware.of_kernel[kernel].push_back(over(*p.first));
    aware.of_kernel[kernel].push_back(over(*p.second));
  }
}

/// The minimum and maximum of all predictions; the paper's are from hardware, where some SMs stagger their blocks.
void add_range(ExperimentReport& report, const std::string& name, const std::string& key, const Group& group) {
  const Spread s = spread_of(group.all());
  report.number(name + ": least", key + ".least", s.least, 2, Band::peak());
  report.number(name + ": most", key + ".most", s.most, 2, Band::peak());
}

void add_majority(ExperimentReport& report, const Group& group) {
  const double percent = 100 * share_between(group.all(), 0.5, 2);
  report.equal(fmt::format("{}: predictions within 0.5 and 2 of the runtime", group.name),
               "predictor.within_a_factor_of_two.share", Quantity::number(percent, 0, " %"));
  report.figures.back().band = Band::above(50).named("above 50 %");
}

ExperimentReport predictor(const ExperimentOptions& options) {
  SrtfRuns runs(srtf_kernels(options), options);
  Group staircase{"staircase"}, regression{"regression"}, single{"single"}, mpmax{"mpmax"}, mpmax_ss{"mpmax/SS"};
  for (const std::size_t kernel : runs.kernels()) {
    add_models(kernel, runs.alone(kernel), staircase, regression);
    Group same{""};  // a single slice
    add_slicing(kernel, runs.alone(kernel), single, same);
  }
  const auto shared = [](const SrtfPair& pair) { return SrtfRun{pair, "mpmax", kSrtfApart, true}; };
  for (const SrtfPair& pair : runs.pairs()) runs.add(shared(pair));
  runs.run();
  for (const SrtfPair& pair : runs.pairs()) {
    const SrtfOutcome outcome = runs[shared(pair)];
    for (std::size_t k = 0; k < 2; ++k) add_slicing(pair[k], outcome.launches[k], mpmax, mpmax_ss);
  }
  const std::vector<Group> groups{staircase, regression, single, mpmax, mpmax_ss};

  ExperimentReport report{"srtf"};
  const auto low = [](const Group& g) { return 100 * share_between(g.all(), 0, 0.5); };
  const auto far = [](const Group& g) { return 100 * (1 - share_between(g.all(), 0.5, 2)); };
  Table spreads({{"predictions"},
                 {"kernel"},
                 {"count"},
                 {"least", "", "", "", 2},
                 {"percentile_25", "", "", "25 %", 2},
                 {"median", "", "", "", 2},
                 {"percentile_75", "", "", "75 %", 2},
                 {"most", "", "", "", 2}});
  Table all({{"predictions"}, {"kernel"}, {"predicted_over_actual", "", "Predicted over actual runtime", "", 4}});
  for (const Group& group : groups) {
    const auto add = [&](const std::string& kernel, const std::vector<double>& values) {
      const Spread s = spread_of(values);
      spreads.add({group.name, kernel, s.count, s.least, s.quarter, s.median, s.three_quarters, s.most});
    };
    add("all", group.all());
    for (const auto& [kernel, values] : group.of_kernel) {
      add(ercbench()[kernel].short_name, values);
      for (const double value : values) all.add({group.name, ercbench()[kernel].short_name, value});
    }
  }
  report.tables = {{"Predictions over the actual runtime; one a kernel and SM of each run", spreads, "spreads",
                    fmt::format("Beyond a factor of two under mpmax, once and by slices: {:.0f} %, {:.0f} %",
                                far(mpmax), far(mpmax_ss))},
                   {"", all}};
  add_range(report, "figure 4: staircase", "predictor.staircase", staircase);
  add_range(report, "figure 4: regression", "predictor.regression", regression);
  add_range(report, "figure 11: single", "predictor.single", single);
  add_majority(report, single);
  add_majority(report, mpmax_ss);
  if (!options.quick) {  // among its four kernels only JPEG-d is underestimated this much, and no slice has room for it
    report.trend("underestimates by half or more under mpmax, once and by slices", "predictor.slices.effect",
                 fmt::format("{:.0f} %, {:.0f} %", low(mpmax), low(mpmax_ss)), "fewer, or none",
                 low(mpmax_ss) < low(mpmax) || low(mpmax_ss) == 0);
  }
  return report;
}

GPUTLM_REGISTER { add_experiment("srtf/predictor", predictor); }

}  // namespace
}  // namespace gputlm
