#include "models/kernel/text_source.h"

#include <cstring>
#include <utility>

#include "tlm/base/error.h"

namespace gputlm {

LineReader::LineReader(std::string path, ReadAhead read_ahead, std::size_t chunk)
    : path_(std::move(path)), source_(open_bytes(path_, read_ahead)), capacity_(chunk),
      buffer_(new char[capacity_ + kPadding]()), cursor_(buffer_.get()), limit_(cursor_), begin_(cursor_),
      end_(cursor_) {}

bool LineReader::next() {
  auto* newline = static_cast<char*>(std::memchr(cursor_, '\n', static_cast<std::size_t>(limit_ - cursor_)));
  if (newline == nullptr) {
    newline = refill();
    if (newline == nullptr) return false;
  }
  begin_ = cursor_;
  end_ = newline;
  cursor_ = newline + 1;
  ++number_;
  if (end_ > begin_ && end_[-1] == '\r') *--end_ = '\n';
  return true;
}

/// Moves the unfinished line to the front and reads until it is complete; null if nothing is left.
char* LineReader::refill() {
  auto pending = static_cast<std::size_t>(limit_ - cursor_);
  std::memmove(buffer_.get(), cursor_, pending);
  for (;;) {
    if (pending == capacity_) {
      if (capacity_ >= kMaxLineBytes)
        throw InputError(path_, number_ + 1, "the line is longer than " + std::to_string(kMaxLineBytes) + " bytes");
      std::unique_ptr<char[]> larger(new char[2 * capacity_ + kPadding]());
      std::memcpy(larger.get(), buffer_.get(), pending);
      buffer_ = std::move(larger);
      capacity_ *= 2;
    }
    char* const start = buffer_.get() + pending;
    std::size_t count = source_->read(start, capacity_ - pending);
    const bool ended = count == 0;
    if (ended && pending > 0) {  // a last line without a line feed gets one
      *start = '\n';
      count = 1;
      unterminated_ = true;
    }
    cursor_ = buffer_.get();
    limit_ = start + count;
    auto* newline = static_cast<char*>(std::memchr(start, '\n', count));
    if (newline != nullptr || ended) return newline;
    pending += count;
  }
}

}  // namespace gputlm
