#include "models/sm/coalescer.h"

#include <algorithm>

namespace gputlm {
namespace {

unsigned bucket_of(std::uint64_t line) { return static_cast<unsigned>(line * 0x9E3779B97F4A7C15u >> 56); }

SectorMask touched(std::uint64_t low, std::uint64_t high) {
  constexpr std::uint64_t kFirst = 0xffffffffu;
  return static_cast<SectorMask>(((low & kFirst) != 0) | ((low >> 32) != 0) << 1 | ((high & kFirst) != 0) << 2 |
                                 ((high >> 32) != 0) << 3);
}

/// Whether consecutive lanes of a full warp access consecutive bytes.
bool one_run(const LaneAddresses& addresses, unsigned width) {
  if (addresses[1] - addresses[0] != width) return false;
  std::uint64_t off = 0;
  for (std::size_t lane = 2; lane < kWarpSize; ++lane) off |= (addresses[lane] - addresses[lane - 1]) ^ width;
  return off == 0;
}

}  // namespace

std::size_t Coalescer::coalesce_run(Address first, Bytes bytes) {
  count_ = 0;
  is_run_ = true;
  run_ = first;
  while (bytes > 0) {
    const Bytes here = std::min(bytes, kLineBytes - first % kLineBytes);
    lines_[count_++] = {first / kLineBytes, touched_sectors(first, here), covered_sectors(first, here)};
    first += here;
    bytes -= here;
  }
  return count_;
}

inline unsigned Coalescer::place_of(std::uint64_t line) {
  if (count_ > 0 && lines_[count_ - 1].line == line) return static_cast<unsigned>(count_ - 1);
  unsigned bucket = bucket_of(line);
  for (; bucket_[bucket] != 0; bucket = (bucket + 1) % bucket_.size()) {
    if (lines_[bucket_[bucket] - 1u].line == line) return bucket_[bucket] - 1u;
  }
  lines_[count_] = {line, 0, 0};
  touched_[count_] = {};
  bucket_[bucket] = static_cast<std::uint8_t>(++count_);
  return static_cast<unsigned>(count_ - 1);
}

[[gnu::always_inline]] inline void Coalescer::touch(Bytes128& bytes, unsigned offset, unsigned width) {
  const std::uint64_t run = (std::uint64_t{1} << width) - 1;
  if (offset < 64) {
    bytes.low |= run << offset;
    if (offset + width > 64) bytes.high |= run >> (64 - offset);
  } else {
    bytes.high |= run << (offset - 64);
  }
}

/// A sector is covered if all of its bytes are accessed.
inline SectorMask Coalescer::covered(const Bytes128& bytes) {
  return static_cast<SectorMask>(~touched(~bytes.low, ~bytes.high) & 0xf);
}

/// Whether the lanes' lines never descend from lane to lane; finds the lines if so.
inline bool Coalescer::ascending(const LaneAddresses& addresses, std::uint32_t mask, unsigned width) {
  std::size_t count = 0;
  unsigned bytes_of_line = 0;  // accessed bytes, counting repeated ones
  bool may_cover = false;
  std::uint64_t behind = 0;
  for (std::uint32_t left = mask; left; left &= left - 1) {
    const Address address = addresses[static_cast<unsigned>(__builtin_ctz(left))];
    const std::uint64_t line = address / kLineBytes;
    if (line + 1 < behind || address % kLineBytes + width > kLineBytes) return false;
    const SectorMask sectors = touched_sectors(address, width);
    if (line + 1 > behind) {
      behind = line + 1;
      lines_[count++] = {line, sectors, 0};
      bytes_of_line = width;
    } else {
      bytes_of_line += width;
      may_cover |= bytes_of_line >= kSectorBytes;
      lines_[count - 1].sectors = static_cast<SectorMask>(lines_[count - 1].sectors | sectors);
    }
  }
  count_ = count;
  if (!may_cover) return true;  // a lane covers no sector by itself
  for (std::size_t i = 0; i < count; ++i) {
    Bytes128 bytes;
    for (; mask; mask &= mask - 1) {
      const Address address = addresses[static_cast<unsigned>(__builtin_ctz(mask))];
      if (address / kLineBytes != lines_[i].line) break;
      touch(bytes, static_cast<unsigned>(address % kLineBytes), width);
    }
    lines_[i].covered = covered(bytes);
  }
  return true;
}

std::size_t Coalescer::coalesce(const LaneAddresses& addresses, std::uint32_t mask, unsigned width) {
  if (mask == ~0u && one_run(addresses, width)) return coalesce_run(addresses[0], kWarpSize * width);
  is_run_ = false;
  hashed_ = !ascending(addresses, mask, width);
  if (!hashed_) return count_;
  count_ = 0;
  bucket_.fill(0);
  for (; mask; mask &= mask - 1) {
    const Address address = addresses[static_cast<unsigned>(__builtin_ctz(mask))];
    const auto offset = static_cast<unsigned>(address % kLineBytes);
    const unsigned here = std::min(width, static_cast<unsigned>(kLineBytes) - offset);
    touch(touched_[place_of(address / kLineBytes)], offset, here);
    if (here < width) touch(touched_[place_of(address / kLineBytes + 1)], 0, width - here);
  }
  for (std::size_t i = 0; i < count_; ++i) {
    lines_[i].sectors = touched(touched_[i].low, touched_[i].high);
    lines_[i].covered = covered(touched_[i]);
  }
  return count_;
}

/// The indices of the lines that the lanes of each part of a warp access, lane by lane.
struct Coalescer::Parts {
  std::array<std::uint8_t, kMaxLines> lines;
  std::array<std::uint8_t, kWarpSize> next, end;  ///< of each part, in `lines`
};

Coalescer::Parts Coalescer::parts_of_run(unsigned width, unsigned parts) const {
  Parts result;
  const Bytes bytes = kWarpSize * width / parts;
  std::uint8_t count = 0;
  for (unsigned p = 0; p < parts; ++p) {
    const Address first = run_ % kLineBytes + p * bytes;
    result.next[p] = count;
    for (Address line = first / kLineBytes; line <= (first + bytes - 1) / kLineBytes; ++line)
      result.lines[count++] = static_cast<std::uint8_t>(line);
    result.end[p] = count;
  }
  return result;
}

/// Index of a known line. `before`: index of the line of the lane before.
inline unsigned Coalescer::known_place(std::uint64_t line, unsigned before) const {
  if (lines_[before].line == line) return before;
  if (!hashed_) return before + 1;
  unsigned bucket = bucket_of(line);
  while (lines_[bucket_[bucket] - 1u].line != line) bucket = (bucket + 1) % bucket_.size();
  return bucket_[bucket] - 1u;
}

Coalescer::Parts Coalescer::parts_of(const LaneAddresses& addresses, std::uint32_t mask, unsigned width,
                                     unsigned parts) const {
  Parts result;
  const unsigned lanes = static_cast<unsigned>(kWarpSize) / parts;
  std::uint8_t count = 0;
  unsigned place = 0;
  for (unsigned p = 0; p < parts; ++p) {
    result.next[p] = count;
    for (unsigned lane = p * lanes; lane < (p + 1) * lanes; ++lane) {
      if (!(mask >> lane & 1)) continue;
      const std::uint64_t last = (addresses[lane] + width - 1) / kLineBytes;
      for (std::uint64_t line = addresses[lane] / kLineBytes; line <= last; ++line) {
        place = known_place(line, place);
        result.lines[count++] = static_cast<std::uint8_t>(place);
      }
    }
    result.end[p] = count;
  }
  return result;
}

unsigned Coalescer::lookup_cycles(const LaneAddresses& addresses, std::uint32_t mask, unsigned width,
                                  unsigned a_cycle) const {
  if (a_cycle == 1 || count_ == 1) return static_cast<unsigned>(count_);
  Parts parts = is_run_ ? parts_of_run(width, a_cycle) : parts_of(addresses, mask, width, a_cycle);
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - count_);
  unsigned cycles = 0;
  for (std::uint64_t found = 0; found != all; ++cycles) {
    std::uint64_t here = 0;
    for (unsigned p = 0; p < a_cycle; ++p) {
      std::uint8_t& next = parts.next[p];
      while (next != parts.end[p] && found >> parts.lines[next] & 1) ++next;
      if (next != parts.end[p]) here |= std::uint64_t{1} << parts.lines[next];
    }
    found |= here;
  }
  return cycles;
}

}  // namespace gputlm
