/// Reads a file sequentially, decompressing it if needed, in constant memory.
///
/// Throws InputError: file missing or unreadable, compressed data that is corrupt, truncated, or takes more than
/// kMaxDecoderMemory to decode.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace gputlm {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills up to `size` bytes at `out`; returns how many, 0 at the end.
  virtual std::size_t read(char* out, std::size_t size) = 0;
};

enum class ReadAhead {
  kNo,
  kCompressed,  ///< a separate thread decodes compressed data, up to one MiB ahead; the bytes are the same
};

inline constexpr std::uint64_t kMaxDecoderMemory = std::uint64_t{512} << 20;  ///< xz -9 makes files that take 65 MiB

/// Reads the file's bytes unchanged.
std::unique_ptr<ByteSource> open_plain(const std::string& path);

/// Decompresses xz, zstd and gzip and converts the tracer's own compressed form (tracez_source.h) to text, by the first
/// bytes of the file; reads other files unchanged.
std::unique_ptr<ByteSource> open_bytes(const std::string& path, ReadAhead read_ahead);

}  // namespace gputlm
