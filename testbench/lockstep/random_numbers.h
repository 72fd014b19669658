/// Uniform numbers from a seed; the same everywhere.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace gputlm {

class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : seed_(seed) {}
  std::uint32_t below(std::uint32_t n);
  bool chance(unsigned percent) { return below(100) < percent; }
  template <class T>
  T one_of(std::initializer_list<T> values) {
    return values.begin()[below(static_cast<std::uint32_t>(values.size()))];
  }

 private:
  std::uint64_t seed_;
  std::uint64_t drawn_ = 0;
};

}  // namespace gputlm
