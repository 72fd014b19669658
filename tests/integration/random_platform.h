/// GPUs made from a seed: a preset in which any parameter of the program's table may have another legal value.
#pragma once

#include <cstdint>
#include <string>

#include "models/config.h"
#include "tests/integration/random_numbers.h"

namespace gputlm {

class RandomPlatform : private RandomNumbers {
 public:
  explicit RandomPlatform(std::uint64_t seed);

  const GpuConfig& config() const { return config_; }
  /// A GPU file with every parameter.
  std::string text() const;

 private:
  /// Sets the parameter unless the GPU would be impossible, or could not run the random programs.
  void try_to_set(const std::string& key, const std::string& value);
  std::string another_value(const struct Parameter& parameter);

  GpuConfig config_;
};

}  // namespace gputlm
