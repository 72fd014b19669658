#include "tlm/base/digest.h"

#include <boost/uuid/detail/sha1.hpp>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <cstddef>
#include <fstream>
#include <vector>

#include "tlm/base/error.h"

namespace gputlm {
namespace {

using Sha1 = boost::uuids::detail::sha1;

std::string digits_of(Sha1& sum) {
  Sha1::digest_type words;
  sum.get_digest(words);
  std::string digits;
  for (const unsigned word : words) {
    for (int shift = 28; shift >= 0; shift -= 4) digits += "0123456789abcdef"[word >> shift & 15];
  }
  return digits;
}

/// Calls `take` with successive parts of the file: a trace may be larger than memory.
template <class Take>
void for_each_part(const std::string& path, std::size_t bytes, Take take) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path, 0, "cannot be opened");
  std::vector<char> part(bytes);
  while (file.read(part.data(), static_cast<std::streamsize>(bytes)) || file.gcount() > 0)
    take(std::string_view(part.data(), static_cast<std::size_t>(file.gcount())));
  if (file.bad()) throw InputError(path, 0, "cannot be read");
}

}  // namespace

std::string sha1(std::string_view content) {
  Sha1 sum;
  sum.process_bytes(content.data(), content.size());
  return digits_of(sum);
}

std::string sha1_of_file(const std::string& path) {
  Sha1 sum;
  for_each_part(path, std::size_t{1} << 18,
                [&](std::string_view part) { sum.process_bytes(part.data(), part.size()); });
  return digits_of(sum);
}

std::string digest(std::string_view content) {
  // Our own namespace: digests are compared only with each other.
  static const boost::uuids::name_generator_sha1 generate{boost::uuids::uuid{}};
  return to_string(generate(content.data(), content.size()));
}

std::string file_digest(const std::string& path) {
  std::string parts;  // digests of the parts; the result is their digest
  for_each_part(path, std::size_t{1} << 24, [&](std::string_view part) { parts += digest(part); });
  return digest(parts);
}

}  // namespace gputlm
