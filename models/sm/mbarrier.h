/// A barrier in shared memory (PTX ISA, mbarrier): phases, each of which ends with its last arrival when all bytes that it waits
/// for have come.
#pragma once

#include <cstdint>

#include "tlm/time.h"

namespace gputlm {

class Mbarrier {
 public:
  Mbarrier(std::uint32_t number, std::uint32_t arrivals) : number_(number), expected_(arrivals), missing_(arrivals) {}

  std::uint32_t number() const { return number_; }
  /// Of the phase in progress.
  std::uint32_t phase() const { return phase_; }
  std::uint32_t missing_arrivals() const { return missing_; }
  std::uint32_t expected_arrivals() const { return expected_; }
  std::int64_t missing_bytes() const { return bytes_; }
  /// More arrivals than the phase has would make it wait for ever.
  bool allows(std::uint32_t arrivals) const { return arrivals <= missing_; }
  /// Arrivals, and bytes that the phase waits for besides; true if they end it.
  bool arrive(std::uint32_t arrivals, Bytes bytes) {
    missing_ -= arrivals;
    bytes_ += static_cast<std::int64_t>(bytes);
    return ends();
  }
  /// Bytes have come, before or after the phase has been told of them; true if they end it.
  bool complete(Bytes bytes) {
    bytes_ -= static_cast<std::int64_t>(bytes);
    return ends();
  }
  bool has_passed(std::uint32_t parity) const { return (phase_ & 1) != parity; }

  /// Parity that this wait of a warp is for, when its first one was for `first`.
  std::uint32_t next_parity(std::uint32_t warp, std::uint32_t first) {
    const std::uint32_t odd = odd_waits_ >> warp & 1;
    odd_waits_ ^= std::uint32_t{1} << warp;
    return first ^ odd;
  }
  void wait(std::uint32_t warp, std::uint32_t parity) {
    waiting_ |= std::uint32_t{1} << warp;
    for_odd_ = (for_odd_ & ~(std::uint32_t{1} << warp)) | parity << warp;
  }
  /// Warps of the block, a bit each.
  std::uint32_t waiting() const { return waiting_; }
  std::uint32_t waiting_for(std::uint32_t parity) const { return waiting_ & (parity ? for_odd_ : ~for_odd_); }
  /// Those whose phase has ended wait no longer.
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
