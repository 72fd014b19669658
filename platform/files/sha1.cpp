#include "platform/files/sha1.h"

#include <fmt/format.h>

#include <boost/uuid/detail/sha1.hpp>
#include <fstream>
#include <vector>

#include "tlm/error.h"

namespace gputlm {
namespace {

std::string digits(boost::uuids::detail::sha1& sum) {
  boost::uuids::detail::sha1::digest_type words;
  sum.get_digest(words);
  std::string text;
  for (const unsigned word : words) text += fmt::format("{:08x}", word);
  return text;
}

}  // namespace

std::string sha1(std::string_view content) {
  boost::uuids::detail::sha1 sum;
  sum.process_bytes(content.data(), content.size());
  return digits(sum);
}

std::string sha1_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path, 0, "cannot be opened");
  std::vector<char> part(std::size_t{1} << 18);
  boost::uuids::detail::sha1 sum;
  while (file.read(part.data(), static_cast<std::streamsize>(part.size())) || file.gcount() > 0) {
    sum.process_bytes(part.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) throw InputError(path, 0, "cannot be read");
  return digits(sum);
}

}  // namespace gputlm
