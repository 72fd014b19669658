#include "platform/lab/relative_errors.h"

#include <algorithm>
#include <cmath>

namespace gputlm {

void RelativeErrors::add(std::string what, double right, double model) {
  const double error = right != 0 ? 100 * (model / right - 1) : 0;
  signed_ += error;
  errors_.push_back({right == 0 && model != 0 ? 100 : std::abs(error), std::move(what), right, model});
}

double RelativeErrors::mean() const {
  double sum = 0;
  for (const Error& error : errors_) sum += error.percent;
  return sum / static_cast<double>(errors_.size());
}

double RelativeErrors::quantile(double share) const {
  std::vector<double> sorted;
  for (const Error& error : errors_) sorted.push_back(error.percent);
  std::sort(sorted.begin(), sorted.end());
  return sorted[static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size()))) - 1];
}

double RelativeErrors::bias() const { return signed_ / static_cast<double>(errors_.size()); }

Table RelativeErrors::summary() {
  return Table({{"of", "", "What was compared"},
                {"count", "", "Values"},
                {"mean", "%", "Mean of the errors' sizes", "", 1},
                {"bias", "%", "Mean of the errors with their signs", "", 1},
                {"median", "%", "", "", 1},
                {"percentile_95", "%", "", "95th", 1},
                {"worst", "%", "", "", 1},
                {"which", "", "The value with the worst error"}});
}

Table RelativeErrors::details() {
  return Table({{"of", "", "What was compared"},
                {"what", "", "Which value"},
                {"right", "", "The value that is right"},
                {"model", "", "The model's"},
                {"error_percent", "%", "Size of the error", "", 2}});
}

void RelativeErrors::add_to(Table& summary, Table& details, const std::string& name) const {
  const auto worst = std::max_element(errors_.begin(), errors_.end(),
                                      [](const Error& a, const Error& b) { return a.percent < b.percent; });
  summary.add({name, errors_.size(), mean(), bias(), quantile(0.5), quantile(0.95), worst->percent, worst->what});
  for (const Error& error : errors_) details.add({name, error.what, error.right, error.model, error.percent});
}

}  // namespace gputlm
