/// A barrier in shared memory (PTX ISA, mbarrier). Each phase ends when its last arrival and all bytes that it waits for
/// have come.
#pragma once

#include <cstdint>

#include "tlm/base/time.h"

namespace gputlm {

class Mbarrier {
 public:
  Mbarrier(std::uint32_t number, std::uint32_t arrivals) : number_(number), expected_(arrivals), missing_(arrivals) {}

  std::uint32_t number() const { return number_; }
  /// Number of the current phase.
  std::uint32_t phase() const { return phase_; }
  std::uint32_t missing_arrivals() const { return missing_; }
  std::uint32_t expected_arrivals() const { return expected_; }
  std::int64_t missing_bytes() const { return bytes_; }
  /// Whether the phase allows this many arrivals; more would make it wait forever.
  bool allows(std::uint32_t arrivals) const { return arrivals <= missing_; }
  /// Adds arrivals, and bytes that the phase also waits for; true if they end it.
  bool arrive(std::uint32_t arrivals, Bytes bytes) {
    missing_ -= arrivals;
    bytes_ += static_cast<std::int64_t>(bytes);
    return ends();
  }
  /// Counts bytes that have arrived, before or after arrive() announced them; true if they end the phase.
  bool complete(Bytes bytes) {
    bytes_ -= static_cast<std::int64_t>(bytes);
    return ends();
  }
  bool has_passed(std::uint32_t parity) const { return (phase_ & 1) != parity; }

  /// Parity of this wait of a warp, whose first wait was for `first`.
  std::uint32_t next_parity(std::uint32_t warp, std::uint32_t first) {
    const std::uint32_t odd = odd_waits_ >> warp & 1;
    odd_waits_ ^= std::uint32_t{1} << warp;
    return first ^ odd;
  }
  void wait(std::uint32_t warp, std::uint32_t parity) {
    waiting_ |= std::uint32_t{1} << warp;
    for_odd_ = (for_odd_ & ~(std::uint32_t{1} << warp)) | parity << warp;
  }
  /// Waiting warps of the block, one bit each.
  std::uint32_t waiting() const { return waiting_; }
  std::uint32_t waiting_for(std::uint32_t parity) const { return waiting_ & (parity ? for_odd_ : ~for_odd_); }
  /// Releases the warps whose phase has ended.
  std::uint32_t release() {
    const std::uint32_t passed = waiting_for(~phase_ & 1);
    waiting_ &= ~passed;
    return passed;
  }

 private:
  bool ends() {
    if (missing_ > 0 || bytes_ != 0) return false;
    ++phase_;
    missing_ = expected_;
    return true;
  }

  std::uint32_t number_;
  std::uint32_t expected_, missing_;
  std::uint32_t phase_ = 0;
  std::uint32_t waiting_ = 0, for_odd_ = 0, odd_waits_ = 0;
  std::int64_t bytes_ = 0;
};

}  // namespace gputlm
