/// What travels between the SMs and the MMU: pages whose translation an SM wants, and translations that it is to forget.
/// Both are transactions whose response is the completion.
#pragma once

#include <cstdint>

#include "tlm/identity.h"

namespace tlm {
class tlm_generic_payload;
}

namespace gputlm {

/// Pages are named by their number: address / MmuConfig::page_bytes.
struct Translation {
  std::uint16_t flits = 1;
  std::uint64_t page = 0;
  Identity identity;  ///< of the access that missed first
  tlm::tlm_generic_payload* transaction = nullptr;
};

/// TLB shootdown: the pages leave the GPU's memory.
struct Shootdown {
  std::uint16_t flits = 1;
  std::uint64_t first_page = 0;
  std::uint64_t pages = 0;
  tlm::tlm_generic_payload* transaction = nullptr;
};

}  // namespace gputlm
