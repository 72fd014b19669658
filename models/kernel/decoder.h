/// A source of bytes that decodes compressed data: the common part for all compression libraries.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "models/kernel/byte_source.h"

namespace gputlm {

class Decoder : public ByteSource {
 public:
  /// `format`: what messages call it; `path`: the file of `packed`.
  Decoder(std::string format, std::string path, std::unique_ptr<ByteSource> packed);

  std::size_t read(char* out, std::size_t size) final;

 protected:
  /// Input and output of a step, which advances both.
  struct Step {
    const std::uint8_t* in;
    std::size_t in_size;
    std::uint8_t* out;
    std::size_t out_size;
    bool last;  ///< nothing follows `in`
  };
  /// Decodes some input; returns false at the end of all data.
  virtual bool decode(Step& step) = 0;

  [[noreturn]] void fail_corrupt(const Step& step) const { fail_at("corrupt", step); }
  [[noreturn]] void fail_truncated(const Step& step) const { fail_at("truncated", step); }
  /// `needed`: bytes of memory.
  [[noreturn]] void fail_memory(const std::string& needed) const;

 private:
  [[noreturn]] void fail_at(const char* what, const Step& step) const;

  std::string format_, path_;
  std::unique_ptr<ByteSource> packed_;
  std::array<std::uint8_t, 64 * 1024> input_{};
  std::size_t begin_ = 0, end_ = 0;  ///< range in `input_` of the bytes not decoded yet
  std::uint64_t taken_ = 0;          ///< bytes of the file that have been decoded
  bool input_ended_ = false, ended_ = false;
};

std::unique_ptr<ByteSource> decode_xz(const std::string& path, std::unique_ptr<ByteSource> packed);
std::unique_ptr<ByteSource> decode_zstd(const std::string& path, std::unique_ptr<ByteSource> packed);
std::unique_ptr<ByteSource> decode_gzip(const std::string& path, std::unique_ptr<ByteSource> packed);

}  // namespace gputlm
