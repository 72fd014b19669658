/// Tracks registers that an instruction has written and nothing has read. An instruction that overwrites only some of them
/// waits for a result that nothing uses. Programs do that if they overlook that a load of 8 or 16 bytes writes two or four
/// registers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "models/kernel/instruction.h"

namespace gputlm {

/// Consecutive registers, the destination of an instruction.
struct RegisterRun {
  std::uint8_t first = 0, count = 0;

  bool operator==(const RegisterRun& other) const { return first == other.first && count == other.count; }
};

class UnreadRegisters {
 public:
  void clear() { unread_ = {}; }
  /// An instruction reads `source`, which counts as a use of all registers written with it.
  void read(std::uint8_t source) { forget(unread_[source]); }
  /// An instruction writes `destination`. Returns an unread run that it partly overwrites, if either has several registers
  /// and they are not the same.
  std::optional<RegisterRun> write(RegisterRun destination) {
    std::optional<RegisterRun> overlaps;
    for (unsigned r = destination.first; r < destination.first + unsigned{destination.count}; ++r) {
      const RegisterRun earlier = unread_.at(r);
      if (earlier.count == 0) continue;
      if (!overlaps && !(earlier == destination)) overlaps = earlier;
      forget(earlier);
    }
    std::fill_n(unread_.begin() + destination.first, destination.count, destination);
    return overlaps;
  }

 private:
  void forget(RegisterRun run) { std::fill_n(unread_.begin() + run.first, run.count, RegisterRun{}); }

  std::array<RegisterRun, kNoRegister> unread_{};  ///< indexed by register; count 0: it was read, or never written
};

}  // namespace gputlm
