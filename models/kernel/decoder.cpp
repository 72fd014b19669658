#include "models/kernel/decoder.h"

#include <utility>

#include "tlm/base/error.h"

namespace gputlm {

Decoder::Decoder(std::string format, std::string path, std::unique_ptr<ByteSource> packed)
    : format_(std::move(format)), path_(std::move(path)), packed_(std::move(packed)) {}

std::size_t Decoder::read(char* out, std::size_t size) {
  Step step{nullptr, 0, reinterpret_cast<std::uint8_t*>(out), size, false};
  while (!ended_ && step.out_size > 0) {
    if (begin_ == end_ && !input_ended_) {
      begin_ = 0;
      end_ = packed_->read(reinterpret_cast<char*>(input_.data()), input_.size());
      input_ended_ = end_ == 0;
    }
    step.in = input_.data() + begin_;
    step.in_size = end_ - begin_;
    step.last = input_ended_;
    ended_ = !decode(step);
    taken_ += end_ - begin_ - step.in_size;
    begin_ = end_ - step.in_size;
  }
  return size - step.out_size;
}

void Decoder::fail_memory(const std::string& needed) const {
  throw InputError(path_, 0,
                   "the " + format_ + " data takes " + needed +
                       " bytes of memory to decode, allowed: " + std::to_string(kMaxDecoderMemory));
}

/// Decoders stop within a few bytes of the fault; zstd only tells in which step it was.
void Decoder::fail_at(const char* what, const Step& step) const {
  const std::uint64_t at = taken_ + (end_ - begin_) - step.in_size;
  throw InputError(path_, 0, "the " + format_ + " data is " + what + " at byte " + std::to_string(at) + " of the file");
}

}  // namespace gputlm
