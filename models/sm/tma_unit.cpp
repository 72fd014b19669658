#include "models/sm/tma_unit.h"

#include <algorithm>

namespace gputlm {

void TmaUnit::issue(Cycle now, const MemoryInstruction& instruction, const BulkCopy& what, std::uint64_t repetitions) {
  if (free_.empty()) {
    copies_.emplace_back();
    free_.push_back(static_cast<std::uint32_t>(copies_.size() - 1));
  }
  const std::uint32_t copy = free_.back();
  free_.pop_back();
  copies_[copy] = {instruction, what, 0, 0, 0, false, repetitions};
  ++in_use_;
  queue_.push({now + config_.tma_latency, copy});
  if (queue_.size() == 1) look_ahead(now);
}

void TmaUnit::look_ahead(Cycle now) { next_ = queue_.empty() ? kNever : std::max(queue_.front().at, now + 1); }

/// Requests the rest of the row's current line.
void TmaUnit::step(Cycle now) {
  const std::uint32_t index = queue_.front().copy;
  Copy& copy = copies_[index];
  BlockLaunch& block = *copy.of.block;
  const Address at =
      block.code->bulk_row(*copy.of.instruction, copy.of.position, copy.what.first + copy.row) + copy.done;
  const Bytes bytes = std::min(copy.what.row_bytes - copy.done, kLineBytes - at % kLineBytes);
  L1Requester requester;
  requester.identity = block.identity;
  requester.identity.warp = static_cast<std::uint16_t>(copy.of.position.warp);
  requester.slot = kTmaSlot;
  requester.load = index;
  requester.counters = &block.counters;
  const LineAccess line{at / kLineBytes, touched_sectors(at, bytes), touched_sectors(at, bytes)};
  blocked_ = ask(now, requester, line, copy.what.write);
  if (blocked_ != L1Stall::kNone) {
    next_ = blocked_ == L1Stall::kTlb ? kNever : std::max(now + 1, l1_.drain_next());
    return;
  }
  ++copy.under_way;
  copy.done += bytes;
  if (copy.done == copy.what.row_bytes) {
    copy.done = 0;
    if (++copy.row == copy.what.rows && copy.repetitions > 0) {
      copy.row = 0;
      --copy.repetitions;
    }
  }
  copy.asked = copy.row == copy.what.rows;
  if (copy.asked) queue_.pop();
  look_ahead(now);
}

/// Replays go first: no line is added to the misses until none are left (SmTlb).
L1Stall TmaUnit::ask(Cycle now, const L1Requester& requester, const LineAccess& line, bool write) {
  if (!tlb_) return l1_.pass_by(now, requester, line, write);
  if (tlb_->replays()) return L1Stall::kTlb;
  switch (tlb_->translate(now, {write ? Op::kStore : Op::kLoad, requester, line})) {
    case SmTlb::Result::kFull: return L1Stall::kTlb;
    case SmTlb::Result::kMiss: return L1Stall::kNone;
    case SmTlb::Result::kHit: break;
  }
  const L1Stall stall = l1_.pass_by(now, requester, line, write);
  if (stall == L1Stall::kNone) tlb_->count_hit();
  return stall;
}

void TmaUnit::translated(Cycle now) {
  if (blocked_ == L1Stall::kTlb && !tlb_->replays()) next_ = now + 1;
}

void TmaUnit::refresh() {
  if (blocked_ == L1Stall::kQueue && next_ == kNever) next_ = l1_.drain_next();
}

bool TmaUnit::ended(const Access& reply) {
  Copy& copy = copies_[reply.tag];
  if (--copy.under_way > 0 || !copy.asked) return false;
  free_.push_back(reply.tag);
  --in_use_;
  return true;
}

}  // namespace gputlm
