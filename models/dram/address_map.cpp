#include "models/dram/address_map.h"

#include <algorithm>
#include <array>
#include <string>

#include "tlm/access.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

constexpr unsigned kAddressBits = 64;

unsigned log2(Bytes value) {
  unsigned bits = 0;
  while (value >> bits > 1) ++bits;
  return bits;
}

unsigned bits_of(const char* name, Bytes value, Bytes least, Bytes most) {
  if (value == 0 || (value & (value - 1)) != 0 || value < least || value > most) {
    throw InputError(std::string(name) + ": found " + std::to_string(value) + ", allowed are powers of two from " +
                     std::to_string(least) + " to " + std::to_string(most));
  }
  return log2(value);
}

/// Bits of each field of an address below the row.
struct FieldBits {
  explicit FieldBits(const DramConfig& config)
      : byte(log2(config.burst_bytes)), column(log2(config.row_bytes) - byte), group(log2(config.bank_groups)),
        bank(log2(config.banks) - group) {}
  unsigned byte, column, group, bank;
};

/// The map's letters, the most significant first, without separators.
std::string letters_of(const DramConfig& config) {
  const FieldBits bits(config);
  if (config.address_map == kLinesOverGroups || config.address_map == kBurstsOverGroups) {
    const unsigned of_line = config.address_map == kLinesOverGroups ? log2(kLineBytes) - bits.byte : 0;
    return std::string(bits.bank, 'b') + std::string(bits.column - of_line, 'c') + std::string(bits.group, 'g') +
           std::string(of_line, 'c') + std::string(bits.byte, 'o');
  }
  std::string letters = config.address_map;
  letters.erase(std::remove(letters.begin(), letters.end(), '_'), letters.end());
  return letters;
}

}  // namespace

std::string contradiction_of_address_map(const DramConfig& config) {
  const FieldBits bits(config);
  const std::string letters = letters_of(config);
  const auto count = [&](char letter) {
    return static_cast<unsigned>(std::count(letters.begin(), letters.end(), letter));
  };
  if (letters.size() <= kAddressBits && letters.find_first_not_of("rbgco") == std::string::npos &&
      count('b') == bits.bank && count('g') == bits.group && count('c') == bits.column && count('o') == bits.byte &&
      letters.find_first_not_of('o', std::min(letters.find('o'), letters.size())) == std::string::npos) {
    return "";
  }
  const auto allowed = [](unsigned n, char letter) { return std::to_string(n) + " " + letter; };
  return "dram.address_map: found '" + config.address_map +
         "', allowed: default, bursts, or letters for the bits from the " +
         "most significant down: " + allowed(bits.bank, 'b') + ", " + allowed(bits.group, 'g') + ", " +
         allowed(bits.column, 'c') + ", any number of r, last " + allowed(bits.byte, 'o') + ", at most " +
         std::to_string(kAddressBits) + " in all; _ separates";
}

AddressMap::AddressMap(const DramConfig& config) {
  const unsigned byte_bits = bits_of("dram.burst_bytes", config.burst_bytes, kMinBurst, kMaxBurst);
  column_bits_ = bits_of("dram.row_bytes", config.row_bytes, kLineBytes, kMaxRow) - byte_bits;
  bank_bits_ = bits_of("dram.banks", config.banks, 1, kMaxDramBanks);
  column_mask_ = mask(column_bits_);
  bank_mask_ = mask(bank_bits_);
  hash_mask_ = config.bank_hash ? mask(bank_bits_) : 0;
  const unsigned group_bits = bits_of("dram.bank_groups", config.bank_groups, 1, config.banks);
  if (const std::string what = contradiction_of_address_map(config); !what.empty()) throw InputError(what);

  const std::string letters = letters_of(config);
  // Position of the next bit of each field in the packed form.
  unsigned column = 0, group = column_bits_, bank = column_bits_ + group_bits, row = column_bits_ + bank_bits_;
  bool in_row = true;
  same_row_bytes_ = 1;
  unsigned next = 0;  // position of a bit that would continue the last run
  const auto size = static_cast<unsigned>(letters.size());
  for (unsigned i = byte_bits; i < kAddressBits; ++i) {
    const char letter = i < size ? letters[size - 1 - i] : 'r';
    unsigned& to = letter == 'c' ? column : letter == 'g' ? group : letter == 'b' ? bank : row;
    if (runs_.empty() || to != next) runs_.push_back({i, to, 0});
    runs_.back().mask = runs_.back().mask << 1 | 1;
    next = ++to;
    in_row = in_row && letter == 'c';
    if (in_row) same_row_bytes_ *= 2;
  }
  same_row_bytes_ *= config.burst_bytes;
  const auto of_column = std::stable_partition(
      runs_.begin(), runs_.end(), [this](const Run& run) { return run.mask << run.packed_shift > column_mask_; });
  row_runs_ = static_cast<std::size_t>(of_column - runs_.begin());
}

Address AddressMap::address(const Location& location) const {
  const std::uint64_t bank = location.bank ^ hash(location.row);
  const std::uint64_t packed = (location.row << bank_bits_ | bank) << column_bits_ | location.column;
  Address address = 0;
  for (const Run& run : runs_) address |= (packed >> run.packed_shift & run.mask) << run.address_shift;
  return address;
}

}  // namespace gputlm
