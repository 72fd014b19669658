/// The deviation of the model from measurements on GPUs, over all figures of experiments: by experiment and GPU, and in
/// total. The factor of a figure is model / measured or its inverse, whichever exceeds 1. Means of factors are geometric, so
/// that half and twice count as equally far off.
///
/// Covers the figures of measurements(), except ranges from several sources.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "platform/files/table.h"
#include "platform/lab/figure.h"

namespace gputlm {

/// Sums over some figures.
struct FactorSum {
  std::size_t figures = 0, within = 0;  ///< within: number within kSiliconMargin of the measured value
  double logarithms = 0;                ///< sum of the logarithms of their factors

  void add(double measured, double model);
  FactorSum& operator+=(const FactorSum& other);
  double mean() const;   ///< geometric mean of the factors; requires at least one
  double share() const;  ///< share of figures within the margin, in per cent; requires at least one
};

class Agreement {
 public:
  /// Adds the figures of an experiment's report; none for an experiment without measurements.
  void add(const std::string& experiment, const std::vector<Figure>& figures);

  bool empty() const { return sets_.empty(); }
  FactorSum all() const;
  /// One line per experiment and GPU, and one for the total.
  Table sets() const;
  /// One line per figure.
  Table rows() const { return rows_; }

 private:
  std::map<std::pair<std::string, std::string>, FactorSum> sets_;  ///< sums by experiment and GPU
  Table rows_{
      {{"experiment"}, {"gpu"}, {"figure"}, {"measured"}, {"model"}, {"factor", "", "Model over measured", "", 3}}};
};

}  // namespace gputlm
