/// Messages between the SMs and the MMU: requests for a page's translation, and shootdowns. Both are transactions whose
/// response is the completion.
#pragma once

#include <cstdint>

#include "tlm/identity.h"

namespace tlm {
class tlm_generic_payload;
}

namespace gputlm {

/// A page number is address / MmuConfig::page_bytes.
struct Translation {
  std::uint16_t flits = 1;
  std::uint64_t page = 0;
  Identity identity;  ///< identity of the access that missed first
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
