#include "platform/files/sha1.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <vector>

#include "tlm/error.h"

namespace gputlm {
namespace {

constexpr std::size_t kBlock = 64;  // bytes

class Sha1 {
 public:
  /// Whole blocks, but for the last time.
  void add(std::string_view bytes) {
    length_ += bytes.size();
    for (; bytes.size() >= kBlock; bytes.remove_prefix(kBlock)) take(bytes.data());
    rest_ = bytes;
  }
  std::string digits() {
    std::string end(rest_);
    end.push_back('\x80');
    end.append((2 * kBlock - 8 - end.size()) % kBlock, '\0');
    for (int shift = 56; shift >= 0; shift -= 8) end.push_back(static_cast<char>(length_ * 8 >> shift));
    for (std::size_t at = 0; at < end.size(); at += kBlock) take(end.data() + at);
    std::string text;
    for (const std::uint32_t word : hash_) text += fmt::format("{:08x}", word);
    return text;
  }

 private:
  static std::uint32_t rotated(std::uint32_t word, unsigned by) { return word << by | word >> (32 - by); }

  void take(const char* block) {
    std::array<std::uint32_t, 80> w{};
    for (std::size_t i = 0; i < 16; ++i) {
      for (std::size_t byte = 0; byte < 4; ++byte) w[i] = w[i] << 8 | static_cast<unsigned char>(block[4 * i + byte]);
    }
    for (std::size_t i = 16; i < w.size(); ++i) w[i] = rotated(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    auto [a, b, c, d, e] = hash_;
    const auto rounds = [&](std::size_t from, std::uint32_t constant, auto function) {
      for (std::size_t i = from; i < from + 20; ++i) {
        const std::uint32_t next = rotated(a, 5) + function() + e + constant + w[i];
        e = d, d = c, c = rotated(b, 30), b = a, a = next;
      }
    };
    rounds(0, 0x5a827999, [&] { return (b & c) ^ (~b & d); });
    rounds(20, 0x6ed9eba1, [&] { return b ^ c ^ d; });
    rounds(40, 0x8f1bbcdc, [&] { return (b & c) ^ (b & d) ^ (c & d); });
    rounds(60, 0xca62c1d6, [&] { return b ^ c ^ d; });
    hash_ = {hash_[0] + a, hash_[1] + b, hash_[2] + c, hash_[3] + d, hash_[4] + e};
  }

  std::array<std::uint32_t, 5> hash_{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  std::uint64_t length_ = 0;
  std::string_view rest_;
};

}  // namespace

std::string sha1(std::string_view content) {
  Sha1 sum;
  sum.add(content);
  return sum.digits();
}

std::string sha1_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path, 0, "cannot be opened");
  std::vector<char> part(kBlock << 12);
  Sha1 sum;
  while (file.read(part.data(), static_cast<std::streamsize>(part.size())) || file.gcount() > 0) {
    sum.add({part.data(), static_cast<std::size_t>(file.gcount())});
  }
  if (file.bad()) throw InputError(path, 0, "cannot be read");
  return sum.digits();
}

}  // namespace gputlm
