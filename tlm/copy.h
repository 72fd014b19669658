/// Message from the host to the copy engines: a copy or a memset. It is a transaction whose response is the completion;
/// results are filled in on the way back.
#pragma once

#include <cstdint>

#include "tlm/base/time.h"
#include "tlm/identity.h"

namespace tlm {
class tlm_generic_payload;
}

namespace gputlm {

enum class CopyKind : std::uint8_t { kHostToDevice, kDeviceToHost, kDeviceToDevice, kMemset };

inline const char* to_string(CopyKind kind) {
  switch (kind) {
    case CopyKind::kHostToDevice: return "host_to_device";
    case CopyKind::kDeviceToHost: return "device_to_host";
    case CopyKind::kDeviceToDevice: return "device_to_device";
    case CopyKind::kMemset: return "memset";
  }
  return "";
}

struct Copy {
  std::uint16_t flits = 1;
  Identity identity;
  std::uint32_t command = 0;    ///< index of the copy in Workload::copies
  std::uint32_t iteration = 0;  ///< number of earlier launches of its application
  CopyKind kind = CopyKind::kHostToDevice;
  Address from = 0;  ///< address in the host's or the GPU's memory; a memset has none
  Address to = 0;
  Bytes bytes = 0;           ///< number of bytes, at least 1
  bool undisturbed = false;  ///< the host does nothing else with the GPU until the copy has ended
  bool pageable = false;     ///< the host memory is not pinned: the driver moves it through a pinned buffer
  bool staged = false;       ///< all of it is in that buffer before the copy begins, if it fits

  // Results, in core cycles.
  Cycle submitted = 0;  ///< cycle in which it left the host
  Cycle arrived = 0;    ///< cycle in which it arrived at the copy engines
  Cycle started = 0;    ///< cycle in which an engine took it
  Cycle ended = 0;      ///< cycle in which its last byte was written
  std::uint16_t engine = 0;
  tlm::tlm_generic_payload* transaction = nullptr;
};

}  // namespace gputlm
