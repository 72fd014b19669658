/// A study's results relative to a baseline: which of several ways is better, by how much, and with which confidence.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/lab/study_results.h"

namespace gputlm {

/// Columns of study_columns() and the value of each that the baseline has: `sm.warp_scheduler=lrr`.
using Baseline = std::vector<std::pair<std::string, std::string>>;

/// Reads texts COLUMN=VALUE. Throws InputError, naming `option`, if the study does not vary the column or does not have the
/// value.
Baseline parse_baseline(const Study& study, const std::vector<std::string>& texts, const std::string& option);

/// A metric of a point relative to the baseline that has the same other values and the same seed.
struct BaselineFigure {
  StudySubject subject;
  std::string metric;
  std::size_t seeds = 0;
  /// Geometric mean of the quotients over the seeds, and its paired confidence interval (Student's t, of the logarithms).
  /// None if a value is 0.
  std::optional<double> ratio, ratio_low, ratio_high;
  /// Mean of the differences, and its paired interval; none for a mean over workloads.
  std::optional<double> difference, difference_low, difference_high;

  template <class Visitor>
  static void describe(Visitor& v) {
    using F = BaselineFigure;
    constexpr Value kText{};
    v.field([](const F& f) { return to_string(f.subject.kind); }, "of", kText,
            "`run`, `application`, `task` or `launch`");
    v.field([](const F& f) -> const std::string& { return f.subject.name; }, "name", kText,
            "Its name; empty for the run");
    v.field([](const F& f) -> const std::string& { return f.subject.application; }, "application", kText,
            "Name of its application; empty for the run");
    v.field(&F::metric, "metric", kText, "As in summary.csv");
    v.field(&F::seeds, "seeds", Value{"seeds"}, "Number of paired seeds");
    v.field(&F::ratio, "ratio", kText, "Ratio to the baseline, geometric mean over the seeds; empty if one is 0");
    v.field(
        &F::ratio_low, "ratio_low", kText,
        "Lower end of its paired 95 % confidence interval (Student's t, of the logarithms); empty for a single seed");
    v.field(&F::ratio_high, "ratio_high", kText, "Upper end of that interval");
    v.field(&F::difference, "difference", kText,
            "Difference from the baseline, mean over the seeds, in the unit of the metric; empty for a mean over "
            "workloads");
    v.field(&F::difference_low, "difference_low", kText,
            "Lower end of its paired 95 % confidence interval; as ratio_low");
    v.field(&F::difference_high, "difference_high", kText, "Upper end of that interval");
  }
};

struct BaselineComparison {
  StudyPoint point;
  bool over_workloads = false;  ///< figures: geometric means over the workloads, of the metrics that all of them have
  std::vector<BaselineFigure> figures;
};

/// Compares each point that is not the baseline's. If the study has several workloads and the baseline names none, the
/// geometric means over the workloads follow, by point.
std::vector<BaselineComparison> compare_with(const Study& study, const Baseline& baseline,
                                             const std::vector<StudySummary>& summaries);

}  // namespace gputlm
