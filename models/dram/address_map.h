/// Where a channel-local byte address lies in the channel's DRAM, and back (a bijection).
///
/// From the lowest bit up: byte of the burst, burst of the 128-byte line, bank group, the rest of the column, bank of
/// the group, row. Consecutive lines thus take turns over the bank groups, so that a stream is not held to tCCDL.
/// With DramConfig::bank_hash the bank is XORed with the row, folded: addresses a power of two apart, which would
/// otherwise all open rows of one bank, spread over the banks (Zhang, Zhu and Zhang, "A permutation-based page
/// interleaving scheme to reduce row-buffer conflicts and exploit data locality", MICRO 2000).
#pragma once

#include <cstdint>

#include "models/dram/config.h"
#include "tlm/time.h"

namespace gputlm {

using Row = std::uint64_t;
inline constexpr Row kNoRow = kNever;  ///< the bank is precharged

struct Location {
  unsigned bank;  ///< bank b belongs to bank group b % bank_groups
  Row row;
  unsigned column;  ///< in bursts
};

class AddressMap {
 public:
  /// Throws InputError unless burst_bytes, row_bytes, banks and bank_groups are powers of two, a burst is no longer
  /// than a line, a line no longer than a row, and bank_groups no more than banks (64 at most).
  explicit AddressMap(const DramConfig& config);

  Location locate(Address address) const {
    const std::uint64_t burst = address >> burst_bits_;
    const std::uint64_t group = (burst >> line_bits_) & mask(group_bits_);
    const std::uint64_t high = (burst >> (line_bits_ + group_bits_)) & mask(high_bits_);
    const std::uint64_t rest = (burst >> (line_bits_ + group_bits_ + high_bits_)) & mask(bank_bits_ - group_bits_);
    const Row row = burst >> (line_bits_ + high_bits_ + bank_bits_);
    const std::uint64_t bank = (rest << group_bits_ | group) ^ hash(row);
    return {static_cast<unsigned>(bank), row, static_cast<unsigned>(high << line_bits_ | (burst & mask(line_bits_)))};
  }
  /// First byte of the burst at `location`.
  Address address(const Location& location) const;

 private:
  static std::uint64_t mask(unsigned bits) { return (std::uint64_t{1} << bits) - 1; }
  /// XOR of the row's digits of bank_bits each.
  std::uint64_t hash(Row row) const {
    for (unsigned shift = 8 * bank_bits_; shift >= bank_bits_ && shift > 0; shift /= 2) row ^= row >> shift;
    return row & hash_mask_;
  }

  unsigned burst_bits_, line_bits_, group_bits_, high_bits_, bank_bits_;
  std::uint64_t hash_mask_;
};

}  // namespace gputlm
