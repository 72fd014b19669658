/// Number of toggles of each net of a design, and its time at 1. A design exposes its nets as the bits of a port, `nets_o`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gputlm {

/// Indexed by net, in the order of the port's bits.
struct NetCounts {
  std::uint64_t cycles = 0;
  std::vector<std::uint64_t> toggles;  ///< toggles between consecutive cycles; glitches within a cycle are not seen
  std::vector<std::uint64_t> high;     ///< number of cycles at 1
};

/// Takes the nets' bits in 32-bit words, from the lowest bit up. Costs time per toggle and not per net.
class NetCounter {
 public:
  /// Counts these values for this number of cycles.
  template <class Word>
  void count(const Word* words, std::size_t number, std::uint64_t cycles) {
    if (before_.empty()) begin(words, number);
    for (std::size_t w = 0; w < number; ++w) {
      const auto now = static_cast<std::uint32_t>(words[w]);
      for (std::uint32_t changed = now ^ before_[w]; changed != 0; changed &= changed - 1) {
        const auto bit = static_cast<unsigned>(__builtin_ctz(changed));
        const std::size_t net = 32 * w + bit;
        ++counts_.toggles[net];
        if ((now >> bit & 1) != 0) {
          since_[net] = counts_.cycles;
        } else {
          counts_.high[net] += counts_.cycles - since_[net];
        }
      }
      before_[w] = now;
    }
    counts_.cycles += cycles;
  }

  NetCounts counts() const {
    NetCounts all = counts_;
    for (std::size_t net = 0; net < all.high.size(); ++net) {
      if ((before_[net / 32] >> net % 32 & 1) != 0) all.high[net] += all.cycles - since_[net];
    }
    return all;
  }

 private:
  template <class Word>
  void begin(const Word* words, std::size_t number) {
    for (std::size_t w = 0; w < number; ++w) before_.push_back(static_cast<std::uint32_t>(words[w]));
    for (auto* const list : {&counts_.toggles, &counts_.high, &since_}) list->resize(32 * number);
  }

  NetCounts counts_;
  std::vector<std::uint32_t> before_;
  std::vector<std::uint64_t> since_;  ///< for a net at 1: since when, in counts_.cycles
};

}  // namespace gputlm
