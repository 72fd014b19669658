/// Figures 4 and 11 of srtf: predictions of the ERCBench kernels' runtimes, over what the runtimes were.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "platform/experiments/srtf/runs.h"
#include "platform/experiments/srtf/srtf.h"
#include "platform/files/atomic_file.h"
#include "platform/lab/metrics.h"
#include "platform/lab/reference.h"

namespace gputlm {
namespace {

/// What a boxplot shows.
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

/// Predictions over actual runtimes, by kernel.
struct Group {
  const char* name;
  std::map<std::size_t, std::vector<double>> of_kernel{};
  std::vector<double> all() const {
    std::vector<double> result;
    for (const auto& [kernel, values] : of_kernel) result.insert(result.end(), values.begin(), values.end());
    return result;
  }
};

/// The blocks of one SM, in order of their ends.
std::map<SmId, std::vector<BlockRecord>> by_sm(const LaunchOutcome& launch) {
  std::map<SmId, std::vector<BlockRecord>> result;
  for (const BlockRecord& block : launch.blocks) result[block.sm].push_back(block);
  for (auto& [sm, blocks] : result) {
    std::sort(blocks.begin(), blocks.end(), [](const auto& a, const auto& b) { return a.end < b.end; });
  }
  return result;
}

/// Equation 1, with t the duration of the first block to end on the SM, and N an even share of the grid; and least
/// squares over the ends of all its blocks (section 3.2). Both over the SM's runtime.
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
    staircase.of_kernel[kernel].push_back(static_cast<double>((share + residency - 1) / residency * t) / actual);
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

std::string table(const std::vector<Group>& groups) {
  std::string text = fmt::format("{:<14} {:<8} {:>6} {:>7} {:>7} {:>7} {:>7} {:>7}\n", "predictions", "kernel", "count",
                                 "least", "25 %", "median", "75 %", "most");
  for (const Group& group : groups) {
    const auto line = [&](const char* name, const std::string& kernel, const std::vector<double>& values) {
      const Spread s = spread_of(values);
      text += fmt::format("{:<14} {:<8} {:>6} {:>7.2f} {:>7.2f} {:>7.2f} {:>7.2f} {:>7.2f}\n", name, kernel, s.count,
                          s.least, s.quarter, s.median, s.three_quarters, s.most);
    };
    line(group.name, "all", group.all());
    for (const auto& [kernel, values] : group.of_kernel) line("", ercbench()[kernel].short_name, values);
  }
  return text + "Over the actual runtime; one a kernel and SM of each run.\n\n";
}

/// The least and the most of all predictions; the paper's are of hardware, where some SMs stagger their
/// blocks.
void add_range(std::vector<Figure>& figures, const std::string& name, const std::string& key, const Group& group) {
  const Spread s = spread_of(group.all());
  const Reference& paper = reference("srtf");
  figures.push_back({name + ": least", paper.at(key + ".least"), Quantity::number(s.least, 2), Band::peak(), ""});
  figures.push_back({name + ": most", paper.at(key + ".most"), Quantity::number(s.most, 2), Band::peak(), ""});
}

Figure majority(const Group& group) {
  const double percent = 100 * share_between(group.all(), 0.5, 2);
  return {fmt::format("{}: predictions within 0.5 and 2 of the runtime", group.name),
          reference("srtf").at("predictor.within_a_factor_of_two.share"), Quantity::number(percent, 0, " %"),
          Band::above(50).named("above 50 %"), ""};
}

}  // namespace

GPUTLM_REGISTER {
  experiments().add({{"srtf/predictor", 502},
                     "Runtimes predicted from a block's duration, and what they were (figures 4 and 11)",
                     srtf_predictor});
}

ExperimentReport srtf_predictor(const ExperimentOptions& options) {
  SrtfRuns runs(srtf_kernels(options), options);
  Group staircase{"staircase"}, regression{"regression"}, single{"single"}, mpmax{"mpmax"}, mpmax_ss{"mpmax/SS"};
  for (const std::size_t kernel : runs.kernels()) {
    add_models(kernel, runs.alone(kernel), staircase, regression);
    Group same{""};  // one slice only
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

  ExperimentReport report;
  const auto low = [](const Group& g) { return 100 * share_between(g.all(), 0, 0.5); };
  const auto far = [](const Group& g) { return 100 * (1 - share_between(g.all(), 0.5, 2)); };
  report.text =
      table(groups) + fmt::format("Beyond a factor of two under mpmax, once and by slices: {:.0f} %, {:.0f} %\n\n",
                                  far(mpmax), far(mpmax_ss));
  add_range(report.figures, "figure 4: staircase", "predictor.staircase", staircase);
  add_range(report.figures, "figure 4: regression", "predictor.regression", regression);
  add_range(report.figures, "figure 11: single", "predictor.single", single);
  report.figures.push_back(majority(single));
  report.figures.push_back(majority(mpmax_ss));
  if (!options.quick) {  // of its four kernels only JPEG-d is underestimated so, and that has no room in any slice
    report.figures.push_back({"underestimates by half or more under mpmax, once and by slices",
                              reference("srtf").at("predictor.slices.effect"),
                              fmt::format("{:.0f} %, {:.0f} %", low(mpmax), low(mpmax_ss)),
                              Band::trend("fewer, or none", low(mpmax_ss) < low(mpmax) || low(mpmax_ss) == 0), ""});
  }
  if (!options.out.empty()) {
    std::string csv = "predictions,kernel,predicted_over_actual\n";
    for (const Group& group : groups) {
      for (const auto& [kernel, values] : group.of_kernel) {
        for (const double value : values) {
          csv += fmt::format("{},{},{:.4f}\n", group.name, ercbench()[kernel].short_name, value);
        }
      }
    }
    write_file(options.out + "/srtf-predictor.csv", csv);
  }
  return report;
}

}  // namespace gputlm
