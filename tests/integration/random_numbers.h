/// Numbers from a seed, the same with every library: not the standard distributions, which differ.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace gputlm {

class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : random_(seed) {}

  std::uint64_t within(std::uint64_t least, std::uint64_t most) { return least + random_() % (most - least + 1); }
  unsigned number(unsigned least, unsigned most) { return static_cast<unsigned>(within(least, most)); }
  bool chance(unsigned percent) { return number(0, 99) < percent; }
  std::string one_of(const std::vector<std::string>& values) { return values[within(0, values.size() - 1)]; }

 private:
  std::mt19937_64 random_;
};

}  // namespace gputlm
