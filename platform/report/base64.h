/// Bytes as text (RFC 4648, 4).
#pragma once

#include <string>
#include <string_view>

namespace gputlm {

std::string base64(std::string_view bytes);

}  // namespace gputlm
