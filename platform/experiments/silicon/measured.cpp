#include "platform/experiments/silicon/measured.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

namespace gputlm {

const std::string& measured(const std::string& name) {
  for (const PresetSource& source : measured_sources()) {
    if (source.name == name) return source.yaml;
  }
  throw std::logic_error("nothing measured is called '" + name + "'");
}

std::string measured_file(const std::string& name) { return "platform/experiments/silicon/measured/" + name + ".yaml"; }

Reference measured_values(const std::string& name) { return {measured(name), measured_file(name)}; }

std::vector<std::string> chosen_points(const Study& plan, const Reference& silicon) {
  std::vector<std::string> names = plan.values("points");
  return names == std::vector<std::string>{"all"} ? silicon.keys() : names;
}

Registry<Measurements>& measurements() {
  static Registry<Measurements> registry("measurements");
  return registry;
}

Quantity Published::quantity() const {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return *least == *most ? Quantity::number(*least, 1) : Quantity(fmt::format("{} to {}", *least, *most));
}

Band Published::band(double margin) const {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return Band::range((1 - margin) * *least, (1 + margin) * *most, 1)
      .named(fmt::format("within {:.0f} % of {}", 100 * margin, values.size() == 1 ? "it" : "these"));
}

std::string Published::place() const { return fmt::format("{}", fmt::join(places, "; ")); }

std::optional<Published> published(const std::string& gpu, const std::string& quantity) {
  const Reference& reference = gputlm::reference("silicon");
  const std::string prefix = fmt::format("{}.{}.", gpu, quantity);
  Published all;
  for (const std::string& key : reference.keys()) {
    if (key.rfind(prefix, 0) != 0) continue;
    all.values.push_back(reference.number(key));
    all.places.push_back(reference.place(key));
  }
  if (all.values.empty()) return std::nullopt;
  return all;
}

}  // namespace gputlm
