#include "tlm/digest.h"

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <fstream>
#include <vector>

#include "tlm/error.h"

namespace gputlm {

std::string digest(std::string_view content) {
  // Of a namespace of our own: digests are compared with each other only.
  static const boost::uuids::name_generator_sha1 generate{boost::uuids::uuid{}};
  return to_string(generate(content.data(), content.size()));
}

std::string file_digest(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path, 0, "cannot be opened");
  // That of the parts' digests: a trace may be larger than memory.
  std::vector<char> part(std::size_t{1} << 24);
  std::string parts;
  while (file.read(part.data(), static_cast<std::streamsize>(part.size())) || file.gcount() > 0) {
    parts += digest({part.data(), static_cast<std::size_t>(file.gcount())});
  }
  if (file.bad()) throw InputError(path, 0, "cannot be read");
  return digest(parts);
}

}  // namespace gputlm
