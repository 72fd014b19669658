/// Maps a channel-local byte address to a location in the channel's DRAM, and back (a bijection).
///
/// DramConfig::address_map names each bit of an address by the field it belongs to, the most significant one first:
///
///   r  row                 any number; bits above the string continue the row
///   b  bank of its group   log2(banks / bank_groups)
///   g  bank group          log2(bank_groups)
///   c  column, in bursts   log2(row_bytes / burst_bytes)
///   o  byte of the burst   log2(burst_bytes); the lowest bits, as a burst is contiguous
///   _  nothing; separates fields for the reader
///
/// The bits of a field keep their order. `rrrrrrrrrrrrr_bb_cccccc_gg_oooooo` for example takes bits 5-0 for the byte, 7-6
/// for the group, 13-8 for the column, 15-14 for the bank, 28-16 and all above for the row.
///
/// `default` is, from the lowest bit up: byte of the burst, burst of the 128-byte line, bank group, the rest of the column,
/// bank of the group, row. Consecutive lines thus rotate over the bank groups, so that tCCDL does not limit a stream.
///
/// `bursts` is the same with the bank group below the whole column: consecutive bursts rotate, so that tCCDL does not limit
/// the bursts of a line either. If nearby lines do not follow soon, each line opens a row in as many groups as it has
/// bursts.
///
/// With DramConfig::bank_hash the bank is XORed with the row, folded: addresses a power of two apart, which would
/// otherwise all open rows of one bank, spread over the banks (Zhang, Zhu and Zhang, "A permutation-based page
/// interleaving scheme to reduce row-buffer conflicts and exploit data locality", MICRO 2000).
#pragma once

#include <cstdint>
#include <vector>

#include "models/dram/config.h"
#include "tlm/base/time.h"

namespace gputlm {

using Row = std::uint64_t;
inline constexpr Row kNoRow = kNever;  ///< the bank is precharged

struct Location {
  unsigned bank;  ///< bank b belongs to bank group b % bank_groups
  Row row;
  unsigned column;  ///< number of the burst within the row
};

/// Names for predefined letters in DramConfig::address_map.
inline constexpr const char *kLinesOverGroups = "default", *kBurstsOverGroups = "bursts";

/// What is wrong with DramConfig::address_map, given valid sizes; empty if it is valid.
std::string contradiction_of_address_map(const DramConfig& config);

class AddressMap {
 public:
  /// Throws InputError unless burst_bytes, row_bytes, banks and bank_groups are powers of two, a burst is no longer
  /// than a line, a line no longer than a row, and bank_groups no more than banks (64 at most); and for an address_map
  /// whose letters do not fit these sizes.
  explicit AddressMap(const DramConfig& config);

  Location locate(Address address) const { return unpacked(pack(address, runs_.size())); }
  /// The same with column 0, which is faster: no timing depends on the column.
  Location locate_row(Address address) const {
    Location location = unpacked(pack(address, row_runs_));
    location.column = 0;
    return location;
  }
  /// First byte of the burst at `location`.
  Address address(const Location& location) const;
  /// Largest power of two such that aligned blocks of this many bytes lie in one row.
  Bytes same_row_bytes() const { return same_row_bytes_; }

 private:
  /// Bits that are consecutive in both forms. The fields are packed as row, bank (its group lowest), column.
  struct Run {
    unsigned address_shift, packed_shift;
    std::uint64_t mask;
  };
  /// Packs by the first `runs` runs.
  std::uint64_t pack(Address address, std::size_t runs) const {
    std::uint64_t packed = 0;
    for (const Run *run = runs_.data(), *end = run + runs; run != end; ++run) {
      packed |= (address >> run->address_shift & run->mask) << run->packed_shift;
    }
    return packed;
  }
  Location unpacked(std::uint64_t packed) const {
    const Row row = packed >> (column_bits_ + bank_bits_);
    const std::uint64_t bank = (packed >> column_bits_ & bank_mask_) ^ hash(row);
    return {static_cast<unsigned>(bank), row, static_cast<unsigned>(packed & column_mask_)};
  }
  // No row is shorter than a burst. NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult)
  static std::uint64_t mask(unsigned bits) { return (std::uint64_t{1} << bits) - 1; }
  /// XOR of the row's digits of bank_bits each.
  std::uint64_t hash(Row row) const {
    if (hash_mask_ == 0) return 0;
    for (unsigned shift = 8 * bank_bits_; shift >= bank_bits_ && shift > 0; shift /= 2) row ^= row >> shift;
    return row & hash_mask_;
  }

  unsigned column_bits_, bank_bits_;
  std::uint64_t column_mask_, bank_mask_, hash_mask_;
  Bytes same_row_bytes_;
  std::vector<Run> runs_;
  std::size_t row_runs_;  ///< number of the leading runs, which have all bits of row and bank
};

}  // namespace gputlm
