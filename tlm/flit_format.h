#pragma once

#include <algorithm>
#include <cstdint>

#include "tlm/access.h"

namespace gputlm {

/// How packets are cut into flits: a header, and the data where there is any; at least one flit.
struct FlitFormat {
  Bytes flit_bytes = 40;
  Bytes header_bytes = 8;  ///< of a packet

  /// Writes and atomics take their data along.
  std::uint16_t request_flits(const Access& access) const {
    return flits(access.write || access.atomic ? access.bytes : 0);
  }
  /// Reads and atomics bring data back; the reply to a write is an acknowledgement.
  std::uint16_t reply_flits(const Access& access) const {
    return flits(access.write && !access.atomic ? 0 : access.bytes);
  }

 private:
  std::uint16_t flits(Bytes data) const {
    return static_cast<std::uint16_t>(std::max<Bytes>(1, (header_bytes + data + flit_bytes - 1) / flit_bytes));
  }
};

}  // namespace gputlm
