/// Metrics that compare kernels and applications that run together with the same alone, each defined once, as in the paper
/// that it comes from. None of them is defined for an empty list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/files/table.h"
#include "platform/lab/chart.h"
#include "tlm/base/record.h"

namespace gputlm {

/// part / whole; 0 if the whole is 0.
double ratio(double part, double whole);

double mean(const std::vector<double>& values);
/// For positive values (srtf, section 6.1.4: "geometric means").
double geometric_mean(const std::vector<double>& values);

/// IPC shared over IPC alone (fr-rr-fcfs, equation 1, "slowdown"); 1: no slowdown.
double relative_speed(double ipc_shared, double ipc_alone);
/// Sum of relative speeds (fr-rr-fcfs, equation 2).
double weighted_speedup(const std::vector<double>& relative_speeds);
/// Sum of IPCs (fr-rr-fcfs, equation 3).
double instruction_throughput(const std::vector<double>& ipcs);
/// The largest quotient of two relative speeds (fr-rr-fcfs, equation 4); 1 is fair.
double fairness_index(const std::vector<double>& relative_speeds);

/// Time shared over time alone (srtf, section 6.1); 1: no slowdown, larger is slower.
double slowdown(double time_shared, double time_alone);
/// System throughput: the sum of time alone over time shared (srtf, section 6.1; Eyerman and Eeckhout, IEEE Micro 2008).
double stp(const std::vector<double>& slowdowns);
/// Average normalized turnaround time: the mean slowdown (same sources).
double antt(const std::vector<double>& slowdowns);
/// The smallest slowdown over the largest (srtf, section 6.1); 1 is fair.
double strictf(const std::vector<double>& slowdowns);

/// (sum x)^2 / (n sum x^2) (Jain, Chiu and Hawe, DEC-TR-301, 1984): 1 is fair, 1/n if one has everything. Not defined if all
/// are zero.
double jain_index(const std::vector<double>& shares);

// Statistics of repeated measurements.

inline constexpr double kConfidence = 0.95;

struct Estimate {
  std::size_t count = 0;
  double mean = 0;
  std::optional<double> deviation;  ///< sample standard deviation (over n - 1); none for a single value
  std::optional<double>
      half_width;  ///< half of the confidence interval of the mean, at kConfidence; none for a single value
  std::optional<double> low() const { return half_width ? std::optional(mean - *half_width) : std::nullopt; }
  std::optional<double> high() const { return half_width ? std::optional(mean + *half_width) : std::nullopt; }

  template <class Visitor>
  static void describe(Visitor& v) {
    v.field(&Estimate::count, "seeds", Value{"seeds"}, "Number of seeds");
    v.field(&Estimate::mean, "mean", Value{}, "Mean over the seeds, in the unit of the metric");
    v.field(&Estimate::deviation, "deviation", Value{}, "Sample standard deviation; empty for a single seed");
    v.field(&Estimate::low, "low", Value{}, "Lower end of the 95 % confidence interval; empty for a single seed");
    v.field(&Estimate::high, "high", Value{}, "Upper end of that interval");
  }
};

/// For independent values that are normally distributed, or for many values: the interval is that of Student's t distribution
/// with n - 1 degrees of freedom. `values` must not be empty.
Estimate estimate(const std::vector<double>& values);

struct ShareInterval {
  double low = 0, high = 1;
};
/// The interval for the probability of an event that happened in `times` of `of` independent trials, at kConfidence (Wilson,
/// "Probable Inference, the Law of Succession, and Statistical Inference", Journal of the American Statistical Association
/// 22, 1927). Unlike the normal interval, it never has length 0, even if all or none happened. `of` > 0.
ShareInterval wilson(std::uint64_t times, std::uint64_t of);

// Errors of a model relative to a reference model, over many values.

/// In per cent of the reference value, one error per named item. If the reference value is 0, the error is 0 if the other
/// value is 0 too, else 100.
class RelativeErrors {
 public:
  void add(std::string what, double right, double model);
  bool empty() const { return errors_.empty(); }

  // Absolute errors; not defined without values.
  double mean() const;
  /// The smallest error that at least this share of all (above 0) do not exceed.
  double quantile(double share) const;
  /// Mean signed error; above 0 the model's values are too large. Items with a reference value of 0 are left out.
  double bias() const;

  /// A table with one line per set of errors and its worst item, filled by add_to().
  static Table summary();
  /// A table with one line per error.
  static Table details();
  void add_to(Table& summary, Table& details, const std::string& name) const;

 private:
  struct Error {
    double percent;  ///< absolute value
    std::string what;
    double right, model;
  };
  std::vector<Error> errors_;
  double signed_ = 0;  ///< sum of signed errors
};

// Views of a table with one line per run: a table with fewer lines, and charts. Columns are addressed by name; the label of
// an axis is the column's meaning with its unit. A missing column is a std::logic_error.

/// The lines with this text in a column.
Table lines_with(const Table& table, const std::string& column, const std::string& text);

/// Merges the lines with the same values in `rows`. The columns `values` are repeated for each value of the column `by`:
/// numbers in ascending order, others in the order of the table.
Table pivot(const Table& table, const std::vector<std::string>& rows, const std::string& by,
            const std::vector<std::string>& values);

/// Merges the lines with the same values in `rows`; each column of `values` becomes its mean.
Table means(const Table& table, const std::vector<std::string>& rows, const std::vector<std::string>& values);

struct LineView {
  std::string x, y;
  std::vector<std::string> lines = {};  ///< columns whose values get a line each
  std::string panels = {};              ///< column whose values get a panel each; empty: one panel
  bool doubling = false;                ///< as LineChart::Panel::doubling
};
/// Texts in the column `x` become ticks.
LineChart line_chart(const Table& table, const LineView& view);

/// One group of bars per line of the table, named by the columns `group`, with one bar for each of the columns `bars`, cut
/// off at `cut`.
BarChart bar_chart(const Table& table, const std::string& y_axis, const std::vector<std::string>& group,
                   const std::vector<std::string>& bars, double cut = 0);

}  // namespace gputlm
