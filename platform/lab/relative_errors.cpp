#include "platform/lab/relative_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "platform/files/csv.h"

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

std::string RelativeErrors::line(const std::string& name) const {
  const auto worst = std::max_element(errors_.begin(), errors_.end(),
                                      [](const Error& a, const Error& b) { return a.percent < b.percent; });
  return fmt::format("{:<30} {:>6} {:>7.1f} {:>7.1f} {:>7.1f} {:>7.1f} {:>7.1f}  {}\n", name, errors_.size(), mean(),
                     bias(), quantile(0.5), quantile(0.95), worst->percent, worst->what);
}

std::string RelativeErrors::heading() {
  return fmt::format("{:<30} {:>6} {:>7} {:>7} {:>7} {:>7} {:>7}  {}\n", "error in per cent", "of", "mean", "bias",
                     "median", "95th", "worst", "which");
}

std::string RelativeErrors::csv(const std::string& name) const {
  fmt::memory_buffer text;
  for (const Error& error : errors_) {
    write_csv_field(text, name);
    text.push_back(',');
    write_csv_field(text, error.what);
    fmt::format_to(std::back_inserter(text), ",{},{},{:.2f}\n", error.right, error.model, error.percent);
  }
  return fmt::to_string(text);
}

}  // namespace gputlm
