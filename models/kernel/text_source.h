/// A text file as a stream of lines: plain or compressed (byte_source.h), of any length, in constant memory. It allocates
/// nothing per line.
///
/// Throws InputError like open_bytes(), and for a line longer than kMaxLineBytes.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "models/kernel/byte_source.h"

namespace gputlm {

class LineReader {
 public:
  static constexpr std::size_t kChunkBytes = 256 * 1024;
  static constexpr std::size_t kMaxLineBytes = 1024 * 1024;

  explicit LineReader(std::string path, ReadAhead read_ahead = ReadAhead::kCompressed, std::size_t chunk = kChunkBytes);

  /// Goes to the next line; false at the end of the file. A last line needs no line feed.
  bool next();
  /// The line without its line feed (or carriage return and line feed). `*end()` is always '\n', and kPadding bytes after
  /// it can be read: a tokenizer needs no bounds checks.
  const char* begin() const { return begin_; }
  const char* end() const { return end_; }
  static constexpr std::size_t kPadding = 16;

  std::size_t number() const { return number_; }  ///< number of the line, from 1
  /// Whether the line is the last and had no line feed: a record that must end with one has been truncated.
  bool unterminated() const { return unterminated_; }
  const std::string& path() const { return path_; }

 private:
  char* refill();

  std::string path_;
  std::unique_ptr<ByteSource> source_;
  std::size_t capacity_;
  std::unique_ptr<char[]> buffer_;
  char* cursor_;  ///< first byte that no line has taken yet
  char* limit_;   ///< end of the bytes read so far
  char* begin_;
  char* end_;
  std::size_t number_ = 0;
  bool unterminated_ = false;
};

}  // namespace gputlm
