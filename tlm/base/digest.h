/// Digests of contents, by SHA-1 (FIPS 180-4, 6.1). The functions that read a file throw InputError if they cannot.
#pragma once

#include <string>
#include <string_view>

namespace gputlm {

/// 40 hexadecimal digits, as `sha1sum` prints them, so that a user can check them.
std::string sha1(std::string_view content);
std::string sha1_of_file(const std::string& path);

/// A digest that only this program compares: a version-5 UUID (RFC 4122), 36 characters that are valid in a file name.
std::string digest(std::string_view content);
std::string file_digest(const std::string& path);

}  // namespace gputlm
