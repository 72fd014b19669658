/// GPUs made from a seed: a preset, of which any parameter in the program's own table may have another legal value.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "models/config.h"

namespace gputlm {

class RandomPlatform {
 public:
  explicit RandomPlatform(std::uint64_t seed);

  const GpuConfig& config() const { return config_; }
  /// A GPU file with every parameter.
  std::string text() const;

 private:
  std::uint64_t number(std::uint64_t least, std::uint64_t most);
  bool chance(unsigned percent) { return number(0, 99) < percent; }
  /// Sets it unless the GPU would be one that cannot be, or cannot run the random programs.
  void try_to_set(const std::string& key, const std::string& value);
  std::string another_value(const struct Parameter& parameter);

  std::mt19937_64 random_;
  GpuConfig config_;
};

}  // namespace gputlm
