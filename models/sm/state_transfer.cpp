#include "models/sm/state_transfer.h"

#include <algorithm>

#include "models/kernel/launch.h"

namespace gputlm {
namespace {

constexpr Address kSaveArea = Address{1} << 46;  // not used by workloads
/// Assumed, not published: program counter, masks of diverged threads, barrier and scoreboard of a warp.
constexpr Bytes kWarpState = kLineBytes;

constexpr Bytes whole_lines(Bytes bytes) { return (bytes + kLineBytes - 1) / kLineBytes * kLineBytes; }

}  // namespace

Bytes state_of_block(const Kernel& kernel, unsigned live_warps) {
  const Bytes warp = Bytes{kernel.registers_per_thread} * kWarpSize * 4 + kWarpState;
  return live_warps * warp + whole_lines(kernel.shared_memory);
}

Address save_area(const SmConfig& config, ApplicationId application, SmId sm) {
  const Bytes whole = whole_lines(Bytes{config.registers} * 4 + config.shared_memory) + config.warps * kWarpState +
                      config.blocks * kLineBytes;
  return kSaveArea + (Address{application} * kMaxSms + sm) * whole;
}

void StateTransfer::begin(Cycle at, Address address, Bytes bytes, bool write, const Identity& who) {
  from_ = at;
  address_ = address;
  left_ = bytes;
  write_ = write;
  identity_ = who;
}

Cycle StateTransfer::next() const {
  if (passed_ > 0) return passed_;
  return left_ == 0 ? kNever : std::max(from_, port_.ready_at());
}

void StateTransfer::step(Cycle now) {
  if (next() > now) return;
  if (passed_ > 0) {
    passed_ = 0;
    return;
  }
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
