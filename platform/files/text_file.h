/// Files as text.
#pragma once

#include <limits>
#include <string>

namespace gputlm {

/// All of the file, but no more than one byte beyond `most`: it may be endless (/dev/zero). Throws InputError if it cannot
/// be read.
std::string read_text(const std::string& path, std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace gputlm
