/// Round robin among the inputs of a switch at one of its outputs.
#pragma once

#include <array>
#include <cstdint>

namespace gputlm {

/// Maximum inputs of a switch.
inline constexpr unsigned kMaxSwitchInputs = 256;

/// A set of inputs (models/bit_words.h).
inline constexpr unsigned kInputWords = kMaxSwitchInputs / 64;
using InputSet = std::array<std::uint64_t, kInputWords>;

/// Round robin: the first input of a set after the one served last, in circular order of their numbers. Initially the
/// search begins with input 0.
class InputTurn {
 public:
  /// The next of `inputs`, which is not empty. `few`: all are below 64, so one word suffices.
  template <bool few>
  unsigned next(const InputSet& inputs) const {
    const std::uint64_t from_turn = ~std::uint64_t{0} << turn_ % 64;
    if (few) {
      const std::uint64_t behind = inputs[0] & from_turn;
      return first(behind ? behind : inputs[0]);
    }
    // The word of the input whose turn it is is searched twice: first from this input on, and finally up to it.
    std::uint64_t mask = from_turn;
    for (unsigned word = turn_ / 64;; word = (word + 1) % inputs.size(), mask = ~std::uint64_t{0}) {
      if (const std::uint64_t some = inputs[word] & mask) return word * 64 + first(some);
    }
  }
  void served(unsigned input) { turn_ = (input + 1) % kMaxSwitchInputs; }

 private:
  static unsigned first(std::uint64_t inputs) { return static_cast<unsigned>(__builtin_ctzll(inputs)); }

  unsigned turn_ = 0;  ///< the search begins with this input
};

}  // namespace gputlm
