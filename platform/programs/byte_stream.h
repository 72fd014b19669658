/// Wraps a source of bytes as a standard stream, for libraries that read one.
#pragma once

#include <array>
#include <streambuf>

#include "models/kernel/byte_source.h"

namespace gputlm {

class ByteStreamBuffer final : public std::streambuf {
 public:
  explicit ByteStreamBuffer(ByteSource& source) : source_(source) {}

 private:
  int_type underflow() override {
    const std::size_t count = source_.read(bytes_.data(), bytes_.size());
    setg(bytes_.data(), bytes_.data(), bytes_.data() + count);
    return count == 0 ? traits_type::eof() : traits_type::to_int_type(bytes_[0]);
  }

  ByteSource& source_;
  std::array<char, 64 * 1024> bytes_{};
};

}  // namespace gputlm
