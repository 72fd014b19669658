/// Puts cycles of a look-ahead window in order. Nearly all lie in the last 64 cycles of it: they are counted, not sorted.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "tlm/time.h"

namespace gputlm {

class CycleSorter {
 public:
  bool empty() const { return counted_ == 0 && earlier_.empty(); }
  /// A cycle before `until`, the end of the window, which is the same until all have been taken.
  void add(Cycle cycle, Cycle until) {
    const std::uint64_t place = cycle + kCounted - until;  // too large also of what is less than 0
    if (place >= kCounted) return earlier_.push_back(cycle);
    counted_ |= std::uint64_t{1} << place;
    ++counts_[place];
  }
  /// Calls `each(cycle, count)` for all, in order, and forgets them.
  template <class F>
  void take(Cycle until, F each) {
    if (!earlier_.empty()) {
      std::sort(earlier_.begin(), earlier_.end());
      for (const Cycle cycle : earlier_) each(cycle, 1u);
      earlier_.clear();
    }
    for (std::uint64_t mask = std::exchange(counted_, 0); mask; mask &= mask - 1) {
      const auto place = static_cast<unsigned>(__builtin_ctzll(mask));
      each(until - kCounted + place, unsigned{std::exchange(counts_[place], 0)});
    }
  }

 private:
  static constexpr unsigned kCounted = 64;

  std::uint64_t counted_ = 0;  ///< a bit for each of the last cycles that has been added
  std::array<std::uint16_t, kCounted> counts_{};
  std::vector<Cycle> earlier_;
};

}  // namespace gputlm
