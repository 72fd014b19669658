/// Names of contents: the same content has the same digest, another content another one.
#pragma once

#include <string>
#include <string_view>

namespace gputlm {

/// A UUID of version 5 (RFC 4122, by SHA-1): 36 characters that may stand in a file's name.
std::string digest(std::string_view content);

/// Of a file's content. Throws InputError if it cannot be read.
std::string file_digest(const std::string& path);

}  // namespace gputlm
