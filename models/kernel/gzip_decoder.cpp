#include <zlib.h>

#include <new>
#include <utility>

#include "models/kernel/decoder.h"

namespace gputlm {
namespace {

class GzipDecoder final : public Decoder {
 public:
  GzipDecoder(const std::string& path, std::unique_ptr<ByteSource> packed) : Decoder("gzip", path, std::move(packed)) {
    constexpr int kGzipOnly = 16;  // zlib.h, inflateInit2: added to the bits of the window
    if (inflateInit2(&stream_, kGzipOnly + MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~GzipDecoder() override { inflateEnd(&stream_); }
  GzipDecoder(const GzipDecoder&) = delete;
  GzipDecoder& operator=(const GzipDecoder&) = delete;

 private:
  bool decode(Step& step) override {
    if (step.last && step.in_size == 0 && between_members_) return false;
    stream_.next_in =
        const_cast<Bytef*>(step.in);  // zlib does not write there. NOLINT(cppcoreguidelines-pro-type-const-cast)
    stream_.avail_in = static_cast<uInt>(step.in_size);
    stream_.next_out = step.out;
    stream_.avail_out = static_cast<uInt>(step.out_size);
    const int result = inflate(&stream_, Z_NO_FLUSH);
    step = {stream_.next_in, stream_.avail_in, stream_.next_out, stream_.avail_out, step.last};
    between_members_ = result == Z_STREAM_END;  // another member may follow
    if (between_members_) {
      inflateReset(&stream_);
    } else if (result == Z_BUF_ERROR) {
      if (step.last) fail_truncated(step);
    } else if (result != Z_OK) {
      fail_corrupt(step);
    }
    return true;
  }

  z_stream stream_{};
  bool between_members_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> decode_gzip(const std::string& path, std::unique_ptr<ByteSource> packed) {
  return std::make_unique<GzipDecoder>(path, std::move(packed));
}

}  // namespace gputlm
