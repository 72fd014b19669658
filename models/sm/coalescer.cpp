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

/// Lane after lane, the lanes of a full warp access a run of bytes.
bool one_run(const LaneAddresses& addresses, unsigned width) {
  if (addresses[1] - addresses[0] != width) return false;
  std::uint64_t off = 0;
  for (std::size_t lane = 2; lane < kWarpSize; ++lane) off |= (addresses[lane] - addresses[lane - 1]) ^ width;
  return off == 0;
}

}  // namespace

std::size_t Coalescer::coalesce_run(Address first, Bytes bytes) {
  count_ = 0;
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

/// A sector is covered when none of its bytes is left out.
inline SectorMask Coalescer::covered(const Bytes128& bytes) {
  return static_cast<SectorMask>(~touched(~bytes.low, ~bytes.high) & 0xf);
}

/// Whether no lane accesses a line that lies before that of the lane before it; the lines, if so.
inline bool Coalescer::ascending(const LaneAddresses& addresses, std::uint32_t mask, unsigned width) {
  std::size_t count = 0;
  unsigned bytes_of_line = 0;  // accessed, one by one or several times
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
  if (ascending(addresses, mask, width)) return count_;
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

unsigned shared_memory_cycles(const LaneAddresses& addresses, std::uint32_t mask, unsigned width, unsigned banks) {
  // Wider accesses are served in groups of lanes that move four bytes a bank together: 8 bytes in two halves of the
  // warp, 16 bytes in four quarters (CUDA C++ Programming Guide, "Shared Memory", 64- and 128-bit accesses).
  const unsigned words = std::max(1u, width / 4);
  const unsigned lanes_together = static_cast<unsigned>(kWarpSize) / words;
  unsigned cycles = 0;
  for (unsigned first = 0; first < kWarpSize; first += lanes_together) {
    std::array<std::uint64_t, kWarpSize> seen;           // different words, by number from 1
    std::array<std::uint8_t, kWarpSize> earlier;         // the one before it in its bank; 0: none
    std::array<std::uint8_t, kMaxSharedBanks> latest{};  // by bank; 0: none
    std::array<std::uint8_t, kMaxSharedBanks> load{};
    unsigned count = 0, most = 0;
    for (unsigned lane = first; lane < first + lanes_together; ++lane) {
      if (!(mask >> lane & 1)) continue;
      for (unsigned w = 0; w < words; ++w) {
        const std::uint64_t word = addresses[lane] / 4 + w;
        const auto bank = static_cast<unsigned>(word & (banks - 1));
        unsigned place = latest[bank];
        while (place != 0 && seen[place - 1] != word) place = earlier[place - 1];
        if (place != 0) continue;
        seen[count] = word;
        earlier[count] = latest[bank];
        latest[bank] = static_cast<std::uint8_t>(++count);
        most = std::max<unsigned>(most, ++load[bank]);
      }
    }
    cycles += most;
  }
  return std::max(1u, cycles);
}

void BankConflicts::learn(Known& known, const LaneShape& shape, std::uint32_t mask, unsigned width) const {
  LaneAddresses addresses = shape.distances();
  for (Address& address : addresses) address += Address{1} << 63;  // lanes before the first lie in words before its
  known = {shape, mask, static_cast<std::uint8_t>(width),
           static_cast<std::uint16_t>(shared_memory_cycles(addresses, mask, width, banks_))};
}

}  // namespace gputlm
