#include "tlm/segments.h"

#include <algorithm>

namespace gputlm {

Segments<Access>::Segments(tlm::tlm_generic_payload& payload, const ServedMemory& memory)
    : memory_(memory), status_(memory.status_of(payload)), write_(payload.is_write()), address_(payload.get_address()),
      streaming_width_(payload.get_streaming_width()), length_(payload.get_data_length()),
      data_(payload.get_data_ptr()), enables_(payload.get_byte_enable_ptr()),
      enables_length_(payload.get_byte_enable_length()) {
  if (status_ != tlm::TLM_OK_RESPONSE || payload.get_command() == tlm::TLM_IGNORE_COMMAND) length_ = 0;
  if (const auto* carried = payload.get_extension<Carried<Access>>()) identity_ = carried->item.identity;
}

Bytes Segments<Access>::next(Access& access) {
  const Bytes begin = done_;
  const Bytes in_beat = begin % streaming_width_;
  access.address = address_ + in_beat;
  const Bytes to_boundary = kLineBytes - access.address % kLineBytes;
  const Bytes bytes = std::min({length_ - begin, streaming_width_ - in_beat, to_boundary});
  done_ += bytes;
  access.bytes = static_cast<std::uint16_t>(bytes);
  access.write = write_;
  access.identity = identity_;
  access.partial = write_ && (access.address % kSectorBytes != 0 || bytes % kSectorBytes != 0);
  for (Bytes i = begin; write_ && !access.partial && enables_ && i < done_; ++i) access.partial = !enabled(i);
  return begin;
}

void Segments<Access>::arrives(const Access& access, Bytes offset) {
  if (!memory_.store || !data_) return;
  if (!enables_) {
    write_ ? memory_.store->write(access.address, data_ + offset, access.bytes)
           : memory_.store->read(access.address, data_ + offset, access.bytes);
    return;
  }
  for (Bytes i = 0; i < access.bytes; ++i) {
    if (!enabled(offset + i)) continue;
    write_ ? memory_.store->write(access.address + i, data_ + offset + i, 1)
           : memory_.store->read(access.address + i, data_ + offset + i, 1);
  }
}

}  // namespace gputlm
