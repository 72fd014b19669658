/// The data of a memory: bytes by address, in pages that are allocated on their first write. The model itself moves no
/// data; a store serves initiators outside the model that need data (tlm/served_memory.h). Accesses to it take no time.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <unordered_map>

#include "tlm/base/time.h"

namespace gputlm {

class BackingStore {
 public:
  static constexpr Bytes kPageBytes = 4096;

  /// Addresses from 0 up to `capacity`, exclusive. Unwritten bytes read as zero.
  explicit BackingStore(Bytes capacity) : capacity_(capacity) {}

  Bytes capacity() const { return capacity_; }
  /// `address + bytes` must not exceed the capacity.
  void read(Address address, unsigned char* to, Bytes bytes) const;
  void write(Address address, const unsigned char* from, Bytes bytes);
  /// Pages that have been written to.
  std::size_t pages() const { return pages_.size(); }

 private:
  using Page = std::array<unsigned char, kPageBytes>;
  Bytes capacity_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;  ///< indexed by address / kPageBytes
};

}  // namespace gputlm
