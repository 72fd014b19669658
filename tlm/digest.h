/// Names of contents: the same content has the same digest, another content another one. All are by SHA-1 (FIPS 180-4,
/// 6.1); functions of a file throw InputError if it cannot be read.
#pragma once

#include <string>
#include <string_view>

namespace gputlm {

/// 40 hexadecimal digits as `sha1sum` gives them, so that a user can check them without us.
std::string sha1(std::string_view content);
std::string sha1_of_file(const std::string& path);

/// What only this program compares: a UUID of version 5 (RFC 4122), 36 characters that may stand in a file's name.
std::string digest(std::string_view content);
std::string file_digest(const std::string& path);

}  // namespace gputlm
