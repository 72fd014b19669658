/// When a row is closed without a request for another row.
#pragma once

#include <cstdint>

#include "models/policy/policy.h"

namespace gputlm {

enum class PagePolicy : std::uint8_t {
  kOpen,    ///< never: a later access may hit it
  kClosed,  ///< as soon as the precharge is legal and no request for the bank is pending
};

Decision<PagePolicy>& page_policies();

}  // namespace gputlm
