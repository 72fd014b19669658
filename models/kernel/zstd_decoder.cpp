#include <zstd.h>
#include <zstd_errors.h>

#include <new>
#include <utility>

#include "models/kernel/decoder.h"

namespace gputlm {
namespace {

class ZstdDecoder final : public Decoder {
 public:
  ZstdDecoder(const std::string& path, std::unique_ptr<ByteSource> packed)
      : Decoder("zstd", path, std::move(packed)), context_(ZSTD_createDCtx()) {
    if (!context_) throw std::bad_alloc();
    constexpr int kWindowBits = 29;  // 2^29 bytes are kMaxDecoderMemory
    static_assert(kMaxDecoderMemory == std::uint64_t{1} << kWindowBits);
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kWindowBits);
  }

 private:
  bool decode(Step& step) override {
    if (step.last && step.in_size == 0 && between_frames_) return false;
    ZSTD_inBuffer in{step.in, step.in_size, 0};
    ZSTD_outBuffer out{step.out, step.out_size, 0};
    const std::size_t result = ZSTD_decompressStream(context_.get(), &out, &in);
    step = {step.in + in.pos, step.in_size - in.pos, step.out + out.pos, step.out_size - out.pos, step.last};
    if (ZSTD_isError(result)) {
      const ZSTD_ErrorCode code = ZSTD_getErrorCode(result);
      if (code == ZSTD_error_memory_allocation) throw std::bad_alloc();
      if (code == ZSTD_error_frameParameter_windowTooLarge)
        fail_memory("more than " + std::to_string(kMaxDecoderMemory));
      fail_corrupt(step);
    }
    between_frames_ = result == 0;  // another frame may follow
    if (step.last && in.size == 0 && out.pos == 0 && !between_frames_) fail_truncated(step);
    return true;
  }

  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };
  std::unique_ptr<ZSTD_DCtx, Free> context_;
  bool between_frames_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> decode_zstd(const std::string& path, std::unique_ptr<ByteSource> packed) {
  return std::make_unique<ZstdDecoder>(path, std::move(packed));
}

}  // namespace gputlm
