#include "platform/lab/study_baseline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "platform/lab/study_tables.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using Numbers = std::vector<double>;

constexpr const char* kWorkload = "workload";

const PointColumn* find(const std::vector<PointColumn>& columns, const std::string& name) {
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const PointColumn& c) { return c.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

/// Numbers of a column, in the order of the study.
std::vector<std::string> values_of(const Study& study, const PointColumn& column) {
  std::vector<std::string> values;
  for (const StudyPoint& point : study.points()) {
    const std::string value = column.of(study, point, column.axis);
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  return values;
}

/// Identifies a point by its values, except those that the baseline names, the seed and, if requested, the workload.
std::string key_of(const Study& study, const StudyPoint& point, const Baseline& baseline, bool with_workload) {
  std::string key;
  for (const PointColumn& column : study_columns(study)) {
    const bool is_named =
        std::any_of(baseline.begin(), baseline.end(), [&](const auto& b) { return b.first == column.name; });
    if (is_named || column.name == "seed" || (!with_workload && column.name == kWorkload)) continue;
    key += column.of(study, point, column.axis) + '\n';
  }
  return key;
}

bool is_baseline(const Study& study, const StudyPoint& point, const Baseline& baseline) {
  const std::vector<PointColumn> columns = study_columns(study);
  return std::all_of(baseline.begin(), baseline.end(), [&](const auto& b) {
    const PointColumn* const column = find(columns, b.first);
    return column->of(study, point, column->axis) == b.second;
  });
}

/// Logarithms of the quotients, by seed; none if one is missing.
std::optional<Numbers> log_ratios(const Numbers& values, const Numbers& of_baseline) {
  Numbers logs;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(values[i] > 0) || !(of_baseline[i] > 0)) return std::nullopt;
    logs.push_back(std::log(values[i] / of_baseline[i]));
  }
  return logs;
}

void set_ratio(BaselineFigure& figure, const Numbers& logs) {
  const Estimate of = estimate(logs);
  figure.seeds = of.count;
  figure.ratio = std::exp(of.mean);
  if (!of.half_width) return;
  figure.ratio_low = std::exp(*of.low());
  figure.ratio_high = std::exp(*of.high());
}

BaselineFigure compared(const StudySubject& subject, const StudyFigure& figure, const StudyFigure& other) {
  BaselineFigure result;
  result.subject = subject;
  result.metric = figure.metric;
  result.seeds = figure.values.size();
  if (const auto logs = log_ratios(figure.values, other.values)) set_ratio(result, *logs);
  Numbers differences;
  for (std::size_t i = 0; i < figure.values.size(); ++i) differences.push_back(figure.values[i] - other.values[i]);
  const Estimate of = estimate(differences);
  result.difference = of.mean;
  result.difference_low = of.low();
  result.difference_high = of.high();
  return result;
}

/// Averages the metrics that every workload has: for each seed the mean of the logarithms over the workloads.
BaselineComparison over_workloads(const std::vector<std::pair<const StudySummary*, const StudySummary*>>& pairs) {
  BaselineComparison result{pairs.front().first->point, true, {}};
  for (const StudySubjectFigures& subject : pairs.front().first->subjects) {
    for (const StudyFigure& figure : subject.figures) {
      Numbers sums(figure.values.size());
      const bool all = std::all_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
        const StudyFigure* const mine = pair.first->find(subject.subject, figure.metric);
        const StudyFigure* const other = pair.second->find(subject.subject, figure.metric);
        const auto logs = mine && other ? log_ratios(mine->values, other->values) : std::nullopt;
        for (std::size_t i = 0; logs && i < logs->size(); ++i)
          sums[i] += (*logs)[i] / static_cast<double>(pairs.size());
        return logs.has_value();
      });
      if (!all) continue;
      BaselineFigure mean;
      mean.subject = subject.subject;
      mean.metric = figure.metric;
      set_ratio(mean, sums);
      result.figures.push_back(std::move(mean));
    }
  }
  return result;
}

}  // namespace

Baseline parse_baseline(const Study& study, const std::vector<std::string>& texts, const std::string& option) {
  const std::vector<PointColumn> columns = study_columns(study, false);
  Baseline baseline;
  for (const std::string& text : texts) {
    const std::size_t at = text.find('=');
    const std::string name = text.substr(0, at);
    const PointColumn* const column = find(columns, name);
    if (at == std::string::npos || !column || column->values < 2) {
      std::vector<std::string> varied;
      for (const PointColumn& one : columns) {
        if (one.values > 1) varied.push_back(one.name + "=VALUE");
      }
      throw InputError(option, 0,
                       fmt::format("found '{}', allowed: {}", shortened(text),
                                   varied.empty() ? "nothing, as the study varies nothing"
                                                  : fmt::format("{}", fmt::join(varied, ", "))));
    }
    const std::string value = study.called(text.substr(at + 1));
    const std::vector<std::string> values = values_of(study, *column);
    if (std::find(values.begin(), values.end(), value) == values.end())
      throw InputError(option, 0,
                       fmt::format("{}: found '{}', allowed: {}", name, shortened(value), fmt::join(values, ", ")));
    baseline.emplace_back(name, value);
  }
  return baseline;
}

std::vector<BaselineComparison> compare_with(const Study& study, const Baseline& baseline,
                                             const std::vector<StudySummary>& summaries) {
  std::vector<BaselineComparison> all;
  const bool names_workload =
      std::any_of(baseline.begin(), baseline.end(), [](const auto& b) { return b.first == kWorkload; });
  std::vector<std::string> keys;  // of points but for their workloads
  std::vector<std::vector<std::pair<const StudySummary*, const StudySummary*>>> pairs;
  for (const StudySummary& summary : summaries) {
    if (is_baseline(study, summary.point, baseline)) continue;
    const std::string key = key_of(study, summary.point, baseline, true);
    const auto other = std::find_if(summaries.begin(), summaries.end(), [&](const StudySummary& one) {
      return is_baseline(study, one.point, baseline) && key_of(study, one.point, baseline, true) == key;
    });
    BaselineComparison comparison{summary.point, false, {}};
    for (const StudySubjectFigures& subject : summary.subjects) {
      for (const StudyFigure& figure : subject.figures) {
        if (const StudyFigure* const of_baseline = other->find(subject.subject, figure.metric))
          comparison.figures.push_back(compared(subject.subject, figure, *of_baseline));
      }
    }
    all.push_back(std::move(comparison));
    const std::string but_workload = key_of(study, summary.point, {}, false);
    auto place = std::find(keys.begin(), keys.end(), but_workload);
    if (place == keys.end()) {
      place = keys.insert(keys.end(), but_workload);
      pairs.emplace_back();
    }
    pairs[static_cast<std::size_t>(place - keys.begin())].emplace_back(&summary, &*other);
  }
  if (names_workload || study.workloads().size() < 2) return all;
  for (const auto& of_workloads : pairs) all.push_back(over_workloads(of_workloads));
  return all;
}

}  // namespace gputlm
