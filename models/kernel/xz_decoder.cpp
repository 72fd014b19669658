#include <lzma.h>

#include <new>
#include <utility>

#include "models/kernel/decoder.h"

namespace gputlm {
namespace {

class XzDecoder final : public Decoder {
 public:
  XzDecoder(const std::string& path, std::unique_ptr<ByteSource> packed) : Decoder("xz", path, std::move(packed)) {
    if (lzma_stream_decoder(&stream_, kMaxDecoderMemory, LZMA_CONCATENATED) != LZMA_OK) throw std::bad_alloc();
  }
  ~XzDecoder() override { lzma_end(&stream_); }
  XzDecoder(const XzDecoder&) = delete;
  XzDecoder& operator=(const XzDecoder&) = delete;

 private:
  bool decode(Step& step) override {
    stream_.next_in = step.in;
    stream_.avail_in = step.in_size;
    stream_.next_out = step.out;
    stream_.avail_out = step.out_size;
    const lzma_ret result = lzma_code(&stream_, step.last ? LZMA_FINISH : LZMA_RUN);
    step = {stream_.next_in, stream_.avail_in, stream_.next_out, stream_.avail_out, step.last};
    if (result == LZMA_MEM_ERROR) throw std::bad_alloc();
    if (result == LZMA_MEMLIMIT_ERROR) fail_memory(std::to_string(lzma_memusage(&stream_)));
    if (result == LZMA_BUF_ERROR) fail_truncated(step);
    if (result != LZMA_OK && result != LZMA_STREAM_END) fail_corrupt(step);
    return result == LZMA_OK;
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
};

}  // namespace

std::unique_ptr<ByteSource> decode_xz(const std::string& path, std::unique_ptr<ByteSource> packed) {
  return std::make_unique<XzDecoder>(path, std::move(packed));
}

}  // namespace gputlm
