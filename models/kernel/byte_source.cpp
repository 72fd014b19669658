#include "models/kernel/byte_source.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

#include "models/kernel/decoder.h"
#include "models/kernel/tracez_source.h"
#include "tlm/base/error.h"
#include "tlm/base/text.h"

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
  /// The first bytes, which are not consumed; none if the file cannot seek: it is then read as plain text.
  std::string begin(std::size_t size) const {
    std::string bytes(size, '\0');
    const ssize_t got = ::pread(descriptor_, bytes.data(), size, 0);
    bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return bytes;
  }

 private:
  std::string path_;
  int descriptor_;
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
  std::size_t size_ = 0;    // size of the current chunk; 0: none
  std::size_t offset_ = 0;  // position in it
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t filled_ = 0;
  std::size_t taken_ = 0;
  bool stop_ = false;
  bool ended_ = false;
  std::exception_ptr error_;
  std::thread thread_;  // last: it uses all of the above
};

struct Compression {
  std::string_view magic;  ///< first bytes of a file
  std::unique_ptr<ByteSource> (*decode)(const std::string& path, std::unique_ptr<ByteSource> packed);
};

constexpr std::array<Compression, 3> kCompressions{{{std::string_view("\xFD"
                                                                      "7zXZ\0",
                                                                      6),
                                                     decode_xz},
                                                    {"\x28\xB5\x2F\xFD", decode_zstd},
                                                    {"\x1F\x8B", decode_gzip}}};

}  // namespace

std::unique_ptr<ByteSource> open_plain(const std::string& path) { return std::make_unique<PlainFile>(path); }

std::unique_ptr<ByteSource> open_bytes(const std::string& path, ReadAhead read_ahead) {
  auto file = std::make_unique<PlainFile>(path);
  std::unique_ptr<ByteSource> unpacked;
  const std::string begin = file->begin(kMaxTracezHeader);
  const auto compression = std::find_if(kCompressions.begin(), kCompressions.end(),
                                        [&](const Compression& c) { return starts_with(begin, c.magic); });
  if (compression != kCompressions.end()) {
    unpacked = compression->decode(path, std::move(file));
  } else if (is_tracez(begin)) {
    unpacked = open_tracez(path);
  } else {
    return file;
  }
  if (read_ahead == ReadAhead::kNo) return unpacked;
  return std::make_unique<ReadAheadSource>(std::move(unpacked));
}

}  // namespace gputlm
