/// How far the model is from what others measured on GPUs, over all figures that experiments give: by experiment and GPU,
/// and of all. The factor of a figure is model / measured or its inverse, whichever is above 1; the mean of several is
/// geometric, so that half and twice are as far off.
///
/// Counted is what measurements() names, and of it what was measured as one number: not ranges of several sources.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "platform/files/table.h"
#include "platform/lab/figure.h"

namespace gputlm {

/// Of some figures.
struct FactorSum {
  std::size_t figures = 0, within = 0;  ///< within: kSiliconMargin of what was measured
  double logarithms = 0;                ///< of their factors

  void add(double measured, double model);
  FactorSum& operator+=(const FactorSum& other);
  double mean() const;   ///< of the factors; of at least one
  double share() const;  ///< that is within, in per cent; likewise
};

class Agreement {
 public:
  /// The figures of an experiment's report; none of an experiment without measurements.
  void add(const std::string& experiment, const std::vector<Figure>& figures);

  bool empty() const { return sets_.empty(); }
  FactorSum all() const;
  /// A line an experiment and GPU, and one of all.
  Table sets() const;
  /// A line a figure.
  Table rows() const { return rows_; }

 private:
  std::map<std::pair<std::string, std::string>, FactorSum> sets_;  ///< by experiment and GPU
  Table rows_{
      {{"experiment"}, {"gpu"}, {"figure"}, {"measured"}, {"model"}, {"factor", "", "Model over measured", "", 3}}};
};

}  // namespace gputlm
