#pragma once

#include <algorithm>
#include <cstdint>

#include "tlm/access.h"
#include "tlm/base/divisor.h"

namespace gputlm {

/// Divides packets into flits: a header and any data, at least one flit.
class FlitFormat {
 public:
  FlitFormat() : FlitFormat(40, 8) {}
  /// `header_bytes`: header of a packet.
  FlitFormat(unsigned flit_bytes, unsigned header_bytes)
      : flit_(flit_bytes), rounded_up_header_(header_bytes + flit_bytes - 1) {}

  /// Writes and atomics carry data.
  std::uint16_t request_flits(const Access& access) const {
    return flits(access.write || access.atomic ? access.bytes : 0);
  }
  /// Replies to reads and atomics carry data; the reply to a write is an acknowledgement.
  std::uint16_t reply_flits(const Access& access) const {
    return flits(access.write && !access.atomic ? 0 : access.bytes);
  }

 private:
  std::uint16_t flits(unsigned data) const {
    return static_cast<std::uint16_t>(std::max(1u, flit_.quotient(rounded_up_header_ + data)));
  }

  Divisor flit_;
  unsigned rounded_up_header_;
};

}  // namespace gputlm
