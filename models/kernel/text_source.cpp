#include "models/kernel/text_source.h"

#include <fcntl.h>
#include <lzma.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include "tlm/error.h"

namespace gputlm {
namespace {

class PlainFile final : public ByteSource {
 public:
  explicit PlainFile(std::string path)
      : path_(std::move(path)), descriptor_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) throw InputError(path_, 0, std::string("cannot be opened: ") + std::strerror(errno));
  }
  ~PlainFile() override { ::close(descriptor_); }
  PlainFile(const PlainFile&) = delete;
  PlainFile& operator=(const PlainFile&) = delete;

  std::size_t read(char* out, std::size_t size) override {
    for (;;) {
      const ssize_t got = ::read(descriptor_, out, size);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) throw InputError(path_, 0, std::string("cannot be read: ") + std::strerror(errno));
    }
  }
  /// Looks at the first bytes without taking them; a file that cannot seek is taken as plain text.
  bool starts_with(const std::uint8_t* magic, std::size_t size) const {
    std::array<std::uint8_t, 16> head{};
    return ::pread(descriptor_, head.data(), size, 0) == static_cast<ssize_t>(size) &&
           std::memcmp(head.data(), magic, size) == 0;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int descriptor_;
};

class XzFile final : public ByteSource {
 public:
  explicit XzFile(std::unique_ptr<PlainFile> file) : file_(std::move(file)) {
    check(lzma_stream_decoder(&stream_, kMaxMemory, LZMA_CONCATENATED));
  }
  ~XzFile() override { lzma_end(&stream_); }
  XzFile(const XzFile&) = delete;
  XzFile& operator=(const XzFile&) = delete;

  std::size_t read(char* out, std::size_t size) override {
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out);
    stream_.avail_out = size;
    while (!ended_ && stream_.avail_out > 0) {
      if (stream_.avail_in == 0 && !input_ended_) {
        stream_.next_in = input_.data();
        stream_.avail_in = file_->read(reinterpret_cast<char*>(input_.data()), input_.size());
        input_ended_ = stream_.avail_in == 0;
      }
      const lzma_ret result = lzma_code(&stream_, input_ended_ ? LZMA_FINISH : LZMA_RUN);
      ended_ = result == LZMA_STREAM_END;
      if (!ended_) check(result);
    }
    return size - stream_.avail_out;
  }

 private:
  static constexpr std::uint64_t kMaxMemory = std::uint64_t{512} << 20;  // xz -9 makes files that take 65 MiB

  void check(lzma_ret result) const {
    if (result == LZMA_OK) return;
    if (result == LZMA_MEM_ERROR) throw std::bad_alloc();
    if (result == LZMA_MEMLIMIT_ERROR)
      throw InputError(file_->path(), 0,
                       "the xz data takes " + std::to_string(lzma_memusage(&stream_)) +
                           " bytes of memory to decode, allowed: " + std::to_string(kMaxMemory));
    // The decoder stops within a few bytes of where it finds the fault.
    throw InputError(file_->path(), 0,
                     std::string(result == LZMA_BUF_ERROR ? "the xz data is truncated" : "the xz data is corrupt") +
                         " at byte " + std::to_string(stream_.total_in) + " of the file");
  }

  std::unique_ptr<PlainFile> file_;
  lzma_stream stream_ = LZMA_STREAM_INIT;
  std::array<std::uint8_t, 64 * 1024> input_{};
  bool input_ended_ = false;
  bool ended_ = false;
};

/// Reads another source on a thread of its own, a few chunks ahead.
class ReadAheadSource final : public ByteSource {
 public:
  explicit ReadAheadSource(std::unique_ptr<ByteSource> source)
      : source_(std::move(source)), storage_(new char[kChunks * kBytes]), thread_([this] { fill(); }) {}
  ~ReadAheadSource() override {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  ReadAheadSource(const ReadAheadSource&) = delete;
  ReadAheadSource& operator=(const ReadAheadSource&) = delete;

  std::size_t read(char* out, std::size_t size) override {
    if (offset_ == size_) {
      std::unique_lock<std::mutex> lock(mutex_);
      if (size_ > 0) {
        ++taken_;
        size_ = offset_ = 0;
        changed_.notify_all();
      }
      changed_.wait(lock, [this] { return filled_ > taken_ || ended_; });
      if (filled_ == taken_) {
        if (error_) std::rethrow_exception(error_);
        return 0;
      }
      size_ = sizes_[taken_ % kChunks];
    }
    const std::size_t count = std::min(size, size_ - offset_);
    std::memcpy(out, storage_.get() + taken_ % kChunks * kBytes + offset_, count);
    offset_ += count;
    return count;
  }

 private:
  static constexpr std::size_t kChunks = 4;
  static constexpr std::size_t kBytes = 256 * 1024;

  void fill() {
    std::exception_ptr error;
    try {
      for (;;) {
        {
          std::unique_lock<std::mutex> lock(mutex_);
          changed_.wait(lock, [this] { return stop_ || filled_ - taken_ < kChunks; });
          if (stop_) return;
        }
        const std::size_t slot = filled_ % kChunks;  // no other thread writes filled_
        const std::size_t count = source_->read(storage_.get() + slot * kBytes, kBytes);
        if (count == 0) break;
        const std::lock_guard<std::mutex> lock(mutex_);
        sizes_[slot] = count;
        ++filled_;
        changed_.notify_all();
      }
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    error_ = error;
    ended_ = true;
    changed_.notify_all();
  }

  std::unique_ptr<ByteSource> source_;
  std::unique_ptr<char[]> storage_;
  std::array<std::size_t, kChunks> sizes_{};
  std::size_t size_ = 0;    // of the chunk in hand; 0: none
  std::size_t offset_ = 0;  // in it
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t filled_ = 0;
  std::size_t taken_ = 0;
  bool stop_ = false;
  bool ended_ = false;
  std::exception_ptr error_;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace

std::unique_ptr<ByteSource> open_plain(const std::string& path) { return std::make_unique<PlainFile>(path); }

std::unique_ptr<ByteSource> open_bytes(const std::string& path, ReadAhead read_ahead) {
  static constexpr std::array<std::uint8_t, 6> kXzMagic{0xFD, '7', 'z', 'X', 'Z', 0};
  auto file = std::make_unique<PlainFile>(path);
  if (!file->starts_with(kXzMagic.data(), kXzMagic.size())) return file;
  auto xz = std::make_unique<XzFile>(std::move(file));
  if (read_ahead == ReadAhead::kNo) return xz;
  return std::make_unique<ReadAheadSource>(std::move(xz));
}

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

/// Moves the unfinished line to the front and reads until it has its end; null when nothing is left.
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
