#include "platform/experiments/silicon/agreement.h"

#include <cmath>

#include "platform/experiments/silicon/measured.h"

namespace gputlm {

void FactorSum::add(double measured, double model) {
  ++figures;
  within += std::abs(model / measured - 1) <= kSiliconMargin;
  logarithms += std::abs(std::log(model / measured));
}

FactorSum& FactorSum::operator+=(const FactorSum& other) {
  figures += other.figures;
  within += other.within;
  logarithms += other.logarithms;
  return *this;
}

double FactorSum::mean() const { return std::exp(logarithms / static_cast<double>(figures)); }

double FactorSum::share() const { return 100 * static_cast<double>(within) / static_cast<double>(figures); }

void Agreement::add(const std::string& experiment, const std::vector<Figure>& figures) {
  std::map<std::string, std::string> gpus;  // GPUs, by figure
  for (const Measurements& of : measurements()) {
    if (of.name != experiment) continue;
    for (const Measurement& m : of.all()) gpus[m.figure] = m.gpu;
  }
  for (const Figure& f : figures) {
    const auto gpu = gpus.find(f.name);
    const std::optional<double> measured = f.paper.number(), model = f.ours.number();
    if (gpu == gpus.end() || !measured || !model) continue;
    sets_[{experiment, gpu->second}].add(*measured, *model);
    rows_.add({experiment, gpu->second, f.name, f.paper.text(), f.ours.text(), *model / *measured});
  }
}

FactorSum Agreement::all() const {
  FactorSum sum;
  for (const auto& [set, of_set] : sets_) sum += of_set;
  return sum;
}

Table Agreement::sets() const {
  Table table({{"experiment"},
               {"gpu"},
               {"figures"},
               {"within_percent", "%", "Share of figures within 20 % of the measured value", "within 20 % (%)", 0},
               {"mean_factor", "", "Geometric mean of the factors", "mean factor", 3}});
  const auto line = [&](const std::string& experiment, const std::string& gpu, const FactorSum& sum) {
    table.add({experiment, gpu, sum.figures, sum.share(), sum.mean()});
  };
  for (const auto& [set, sum] : sets_) line(set.first, set.second, sum);
  if (!empty()) line("all", "", all());
  return table;
}

}  // namespace gputlm
