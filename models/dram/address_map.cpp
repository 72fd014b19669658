#include "models/dram/address_map.h"

#include <string>

#include "tlm/access.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

unsigned bits_of(const char* name, Bytes value, Bytes least, Bytes most) {
  if (value == 0 || (value & (value - 1)) != 0 || value < least || value > most) {
    throw InputError(std::string(name) + ": found " + std::to_string(value) + ", allowed are powers of two from " +
                     std::to_string(least) + " to " + std::to_string(most));
  }
  unsigned bits = 0;
  while (value >> bits > 1) ++bits;
  return bits;
}

constexpr unsigned kMostBanks = 64;  // the controller keeps a set of banks in one machine word
constexpr Bytes kLongestRow = Bytes{1} << 20;

}  // namespace

AddressMap::AddressMap(const DramConfig& config)
    : burst_bits_(bits_of("dram.burst_bytes", config.burst_bytes, 1, kLineBytes)),
      line_bits_(bits_of("dram.burst_bytes", kLineBytes / config.burst_bytes, 1, kLineBytes)), group_bits_(0),
      high_bits_(bits_of("dram.row_bytes", config.row_bytes, kLineBytes, kLongestRow) - burst_bits_ - line_bits_),
      bank_bits_(bits_of("dram.banks", config.banks, 1, kMostBanks)),
      hash_mask_(config.bank_hash ? mask(bank_bits_) : 0) {
  group_bits_ = bits_of("dram.bank_groups", config.bank_groups, 1, config.banks);
}

Address AddressMap::address(const Location& location) const {
  const std::uint64_t bank = location.bank ^ hash(location.row);
  std::uint64_t burst = location.row;
  burst = burst << (bank_bits_ - group_bits_) | bank >> group_bits_;
  burst = burst << high_bits_ | location.column >> line_bits_;
  burst = burst << group_bits_ | (bank & mask(group_bits_));
  burst = burst << line_bits_ | (location.column & mask(line_bits_));
  return burst << burst_bits_;
}

}  // namespace gputlm
