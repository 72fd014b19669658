/// How kernels and applications that run together are compared with running alone: each metric once, by the definition
/// of the paper that it comes from. None of them is defined for no values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/files/table.h"
#include "platform/lab/chart.h"
#include "tlm/record.h"

namespace gputlm {

/// part / whole; 0 where the whole is 0.
double ratio(double part, double whole);

double mean(const std::vector<double>& values);
/// Of positive values (srtf, section 6.1.4: "geometric means").
double geometric_mean(const std::vector<double>& values);

/// What is left of the speed: IPC shared over IPC alone (fr-rr-fcfs, equation 1, "slowdown"); 1 is as alone.
double relative_speed(double ipc_shared, double ipc_alone);
/// Sum of relative speeds (fr-rr-fcfs, equation 2).
double weighted_speedup(const std::vector<double>& relative_speeds);
/// Sum of IPCs (fr-rr-fcfs, equation 3).
double instruction_throughput(const std::vector<double>& ipcs);
/// The largest quotient of two relative speeds (fr-rr-fcfs, equation 4); 1 is fair.
double fairness_index(const std::vector<double>& relative_speeds);

/// Time shared over time alone (srtf, section 6.1); 1 is as alone, more is slower.
double slowdown(double time_shared, double time_alone);
/// System throughput: the sum of time alone over time shared (srtf, section 6.1; Eyerman and Eeckhout, IEEE Micro 2008).
double stp(const std::vector<double>& slowdowns);
/// Average normalized turnaround time: the mean slowdown (srtf, section 6.1; likewise).
double antt(const std::vector<double>& slowdowns);
/// The smallest slowdown over the largest (srtf, section 6.1); 1 is fair.
double strictf(const std::vector<double>& slowdowns);

/// (sum x)^2 / (n sum x^2) (Jain, Chiu and Hawe, DEC-TR-301, 1984): 1 is fair, 1/n if one has it all. Not defined for
/// zeros alone.
double jain_index(const std::vector<double>& shares);

// What several measurements of the same thing say of it.

inline constexpr double kConfidence = 0.95;

struct Estimate {
  std::size_t count = 0;
  double mean = 0;
  std::optional<double> deviation;   ///< standard deviation of the sample (over n - 1); none of a single value
  std::optional<double> half_width;  ///< of the confidence interval of the mean, kConfidence; none of a single value
  std::optional<double> low() const { return half_width ? std::optional(mean - *half_width) : std::nullopt; }
  std::optional<double> high() const { return half_width ? std::optional(mean + *half_width) : std::nullopt; }

  template <class Visitor>
  static void describe(Visitor& v) {
    v.field(&Estimate::count, "seeds", Value{"seeds"}, "That the mean is over");
    v.field(&Estimate::mean, "mean", Value{}, "In the unit of the metric");
    v.field(&Estimate::deviation, "deviation", Value{}, "Standard deviation of the sample; none of a single seed");
    v.field(&Estimate::low, "low", Value{}, "Begin of the confidence interval of 95 %; likewise");
    v.field(&Estimate::high, "high", Value{}, "Its end");
  }
};

/// Of independent values that are normally distributed, or many: the interval is that of Student's t distribution with
/// n - 1 degrees of freedom. `values` must not be empty.
Estimate estimate(const std::vector<double>& values);

struct ShareInterval {
  double low = 0, high = 1;
};
/// In which the probability of an event lies that has happened `times` of `of` times, independent of each other; kConfidence
/// (Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", Journal of the American Statistical
/// Association 22, 1927). Unlike the normal interval it is none of length 0 where all or none have happened. `of` > 0.
ShareInterval wilson(std::uint64_t times, std::uint64_t of);

// How far a model is off another one that it stands for: many values of one beside those of the other.

/// In per cent of the value that is right, each of something with a name. A right value of 0 gives an error of 0 if the
/// other one is 0, else of 100.
class RelativeErrors {
 public:
  void add(std::string what, double right, double model);
  bool empty() const { return errors_.empty(); }

  // Not defined where there are none. Of the sizes of the errors, whatever their signs:
  double mean() const;
  /// The smallest that no less than this share of all, above 0, do not exceed.
  double quantile(double share) const;
  /// The mean of errors with their signs; above 0 the model's values are too large. A right value of 0 adds nothing.
  double bias() const;

  /// A line a set of errors, with what is worst; add_to() fills it.
  static Table summary();
  /// A line an error.
  static Table details();
  void add_to(Table& summary, Table& details, const std::string& name) const;

 private:
  struct Error {
    double percent;  ///< whatever its sign
    std::string what;
    double right, model;
  };
  std::vector<Error> errors_;
  double signed_ = 0;  ///< sum of errors with their signs
};

// What is made of a table with a line a run: a table with fewer lines, and charts. Columns go by their names; what a
// chart writes at an axis is the column's meaning, with its unit. Asking for a column that is not there is a
// std::logic_error.

/// The lines that have this in a column.
Table lines_with(const Table& table, const std::string& column, const std::string& text);

/// The lines that have the same in `rows` become one, with `values` once for each value of the column `by`:
/// numbers in ascending order, others in that of the table.
Table pivot(const Table& table, const std::vector<std::string>& rows, const std::string& by,
            const std::vector<std::string>& values);

/// The lines that have the same in `rows` become one, with the mean of each of `values`.
Table means(const Table& table, const std::vector<std::string>& rows, const std::vector<std::string>& values);

struct LineView {
  std::string x, y;
  std::vector<std::string> lines = {};  ///< columns with a line a value
  std::string panels = {};              ///< column with a panel a value; empty: one panel
  bool doubling = false;                ///< as LineChart::Panel::doubling
};
/// Texts of `x` become ticks.
LineChart line_chart(const Table& table, const LineView& view);

/// A group of bars a line of the table, named by the columns `group`, with a bar for each of the columns `bars`, no
/// higher than `cut`.
BarChart bar_chart(const Table& table, const std::string& y_axis, const std::vector<std::string>& group,
                   const std::vector<std::string>& bars, double cut = 0);

}  // namespace gputlm
