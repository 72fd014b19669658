/// Published values of a GPU's quantities: reference.yaml.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/lab/figure.h"

namespace gputlm {

struct Published {
  std::vector<double> values;
  std::vector<std::string> places;

  /// The value, or the range of several measurements.
  Quantity quantity() const;
  /// A relative margin around it, in both directions.
  Band band(double margin) const;
  std::string place() const;
};

/// None if nothing was published. `quantity`: "dram_bandwidth".
std::optional<Published> published(const std::string& gpu, const std::string& quantity);

}  // namespace gputlm
