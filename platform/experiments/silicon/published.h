/// What was published of a quantity of a GPU: reference.yaml.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/lab/figure.h"

namespace gputlm {

struct Published {
  std::vector<double> values;
  std::vector<std::string> places;

  /// The value, or the range of what several have measured.
  Quantity quantity() const;
  /// So much beside it, as a share, to both sides.
  Band band(double margin) const;
  std::string place() const;
};

/// Nothing if nobody has. `quantity`: "dram_bandwidth".
std::optional<Published> published(const std::string& gpu, const std::string& quantity);

}  // namespace gputlm
