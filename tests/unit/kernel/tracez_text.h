/// Traces in the tracer's compressed form, made for a test as its post-traces-processing does it.
#pragma once

#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace gputlm {

struct TracezBlock {
  unsigned x = 0, y = 0, z = 0;
  std::vector<std::vector<std::string>> warps;  ///< lines of each warp
};

class TracezWriter {
 public:
  TracezWriter(std::string header, std::string dictionary, std::size_t part)
      : bytes_(std::move(header) + '\0'), dictionary_(std::move(dictionary)), part_(part) {
    number(dictionary_.size());
    number(part);
    bytes_ += dictionary_;
  }

  std::string write(const std::vector<TracezBlock>& blocks) {
    std::string index = little_endian(blocks.size(), 4);
    for (const TracezBlock& block : blocks) {
      for (const unsigned value : {block.x, block.y, block.z, 0u, 0u, 0u, 0u, 0u, 0u, 0u})
        index += little_endian(value, 4);
      index += little_endian(block.warps.size(), 4);
      for (const std::vector<std::string>& lines : block.warps) index += add(lines);
    }
    const std::size_t place = bytes_.size();
    return bytes_ + index + little_endian(place, 8);
  }

 private:
  static std::string little_endian(std::uint64_t value, unsigned size) {
    std::string bytes;
    for (; size > 0; --size, value >>= 8) bytes += static_cast<char>(value & 0xff);
    return bytes;
  }
  void number(std::uint64_t value) { bytes_ += little_endian(value, 4); }

  /// Adds a warp; returns its entry in the index.
  std::string add(const std::vector<std::string>& lines) {
    const std::size_t parts = (lines.size() + part_ - 1) / part_;
    std::string entry = little_endian(lines.size(), 4) + little_endian(parts, 4) + little_endian(bytes_.size(), 8);
    number(lines.size());
    number(parts);
    for (std::size_t first = 0; first < lines.size(); first += part_) {
      const std::size_t end = std::min(first + part_, lines.size());
      std::string text;
      for (std::size_t i = first; i < end; ++i) text += (i > first ? "\n" : "") + lines[i];
      const std::string packed = compressed(text);
      number(packed.size());
      bytes_ += packed;
      entry += little_endian(end - first, 4);
    }
    return entry;
  }

  std::string compressed(const std::string& text) const {
    ZSTD_CCtx* const context = ZSTD_createCCtx();
    std::string out(ZSTD_compressBound(text.size()), '\0');
    out.resize(ZSTD_compress_usingDict(context, out.data(), out.size(), text.data(), text.size(), dictionary_.data(),
                                       dictionary_.size(), 3));
    ZSTD_freeCCtx(context);
    return out;
  }

  std::string bytes_, dictionary_;
  std::size_t part_;
};

}  // namespace gputlm
