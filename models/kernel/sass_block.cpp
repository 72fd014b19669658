#include "models/kernel/sass_block.h"

#include <limits>
#include <utility>

namespace gputlm {
namespace {

constexpr std::size_t kRecordHead = 3;  // kind, base (two words)
constexpr std::size_t kMaxRecord = kRecordHead + 2 * kWarpSize;

unsigned lowest_lane(std::uint32_t mask) { return static_cast<unsigned>(__builtin_ctz(mask)); }

}  // namespace

void SassAddressPool::clear() { words_.clear(); }

bool SassAddressPool::has_room() const {
  return words_.size() + kMaxRecord <= std::numeric_limits<std::uint32_t>::max();
}

std::uint32_t* SassAddressPool::append(std::size_t words) {
  const std::size_t at = words_.size();
  words_.resize(at + words);
  return words_.data() + at;
}

std::uint32_t SassAddressPool::add_stride(Address base, std::int64_t stride) {
  const auto offset = static_cast<std::uint32_t>(words_.size());
  std::uint32_t* const record = append(kRecordHead + 2);
  record[0] = kStride;
  record[1] = static_cast<std::uint32_t>(base);
  record[2] = static_cast<std::uint32_t>(base >> 32);
  record[3] = static_cast<std::uint32_t>(stride);
  record[4] = static_cast<std::uint32_t>(static_cast<std::uint64_t>(stride) >> 32);
  return offset;
}

std::uint32_t SassAddressPool::add_deltas(Address base, const std::int64_t* deltas, unsigned count) {
  bool fits = true;
  for (unsigned i = 0; i < count; ++i) fits &= deltas[i] == static_cast<std::int32_t>(deltas[i]);
  const auto offset = static_cast<std::uint32_t>(words_.size());
  std::uint32_t* const record = append(kRecordHead + (fits ? count : 2 * count));
  record[0] = fits ? kShortDeltas : kLongDeltas;
  record[1] = static_cast<std::uint32_t>(base);
  record[2] = static_cast<std::uint32_t>(base >> 32);
  if (fits) {
    for (unsigned i = 0; i < count; ++i) record[kRecordHead + i] = static_cast<std::uint32_t>(deltas[i]);
  } else {
    for (unsigned i = 0; i < count; ++i) {
      record[kRecordHead + 2 * i] = static_cast<std::uint32_t>(deltas[i]);
      record[kRecordHead + 2 * i + 1] = static_cast<std::uint32_t>(static_cast<std::uint64_t>(deltas[i]) >> 32);
    }
  }
  return offset;
}

void SassAddressPool::expand(std::uint32_t offset, std::uint32_t mask, LaneAddresses& out) const {
  if (mask == 0) return;
  const std::uint32_t kind = words_[offset];
  Address address = wide(offset + 1);
  const unsigned first = lowest_lane(mask);
  if (kind == kStride) {
    const std::uint64_t stride = wide(offset + kRecordHead);
    for (; mask != 0; mask &= mask - 1) {
      const unsigned lane = lowest_lane(mask);
      out[lane] = address + stride * (lane - first);
    }
    return;
  }
  out[first] = address;
  std::size_t at = offset + kRecordHead;
  for (mask &= mask - 1; mask != 0; mask &= mask - 1) {
    if (kind == kShortDeltas) {
      address += static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(words_[at])));
      at += 1;
    } else {
      address += wide(at);
      at += 2;
    }
    out[lowest_lane(mask)] = address;
  }
}

std::unique_ptr<SassBlockBuffers> SassBufferPool::take() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (free_.empty()) return std::make_unique<SassBlockBuffers>();
  auto buffers = std::move(free_.back());
  free_.pop_back();
  return buffers;
}

void SassBufferPool::give_back(std::unique_ptr<SassBlockBuffers> buffers) {
  const std::lock_guard<std::mutex> lock(mutex_);
  free_.push_back(std::move(buffers));
}

WarpCode SassBlock::warp(std::uint32_t warp) const {
  const SassBlockBuffers::Range range = buffers_->warps[warp];
  return {buffers_->instructions.data() + range.first, range.length};
}

void SassBlock::addresses(const Instruction& instruction, const WarpPosition&, LaneAddresses& out) const {
  buffers_->addresses.expand(instruction.operand, instruction.mask, out);
}

}  // namespace gputlm
