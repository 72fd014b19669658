/// Warp slots of a sub-core in the order in which they were added.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace gputlm {

/// Slots are 0 to 63, each included at most once.
class WarpAges {
 public:
  /// Adds a slot as the youngest.
  void add(unsigned slot) { by_age_[count_++] = static_cast<std::uint8_t>(slot); }
  /// `slot` must be in it.
  void remove(unsigned slot) {
    std::uint8_t* const end = by_age_.data() + count_;
    std::uint8_t* const place = std::find(by_age_.data(), end, static_cast<std::uint8_t>(slot));
    std::copy(place + 1, end, place);
    --count_;
  }
  /// The oldest of the slots in the mask; one of them must be in it.
  unsigned oldest_of(std::uint64_t slots) const {
    const std::uint8_t* place = by_age_.data();
    while (!(slots >> *place & 1)) ++place;
    return *place;
  }
  /// The youngest of the slots in the mask; one of them must be in it.
  unsigned youngest_of(std::uint64_t slots) const {
    const std::uint8_t* place = by_age_.data() + count_ - 1;
    while (!(slots >> *place & 1)) --place;
    return *place;
  }
  const std::uint8_t* begin() const { return by_age_.data(); }
  const std::uint8_t* end() const { return by_age_.data() + count_; }

 private:
  std::array<std::uint8_t, 64> by_age_{};  ///< oldest first
  std::size_t count_ = 0;
};

}  // namespace gputlm
