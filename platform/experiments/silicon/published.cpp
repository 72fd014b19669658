#include "platform/experiments/silicon/published.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "platform/lab/figure.h"

namespace gputlm {

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
