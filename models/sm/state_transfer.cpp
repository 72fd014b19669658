#include "models/sm/state_transfer.h"

#include <algorithm>

namespace gputlm {

void StateTransfer::begin(Cycle at, Address address, Bytes bytes, bool write, const Identity& who) {
  from_ = at;
  address_ = address;
  left_ = bytes;
  write_ = write;
  identity_ = who;
}

Cycle StateTransfer::next() const { return left_ == 0 ? kNever : std::max(from_, port_.ready_at()); }

void StateTransfer::step(Cycle now) {
  if (next() > now) return;
  Access& access = accesses_.allocate();
  access.address = address_;
  access.bytes = static_cast<std::uint16_t>(kLineBytes);
  access.write = write_;
  access.identity = identity_;
  access.slot = kSlot;
  access.issued = now;
  network_.address(access);
  port_.send(now, access);
  address_ += kLineBytes;
  left_ -= kLineBytes;
  ++outstanding_;
}

}  // namespace gputlm
