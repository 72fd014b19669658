/// Names of contents as `sha1sum` gives them, so that a user can check them without us. (Digests that only this program
/// compares are those of tlm/digest.h.)
#pragma once

#include <string>
#include <string_view>

namespace gputlm {

/// SHA-1 (FIPS 180-4, 6.1) as 40 hexadecimal digits.
std::string sha1(std::string_view content);

/// Of a file's content. Throws InputError if it cannot be read.
std::string sha1_of_file(const std::string& path);

}  // namespace gputlm
