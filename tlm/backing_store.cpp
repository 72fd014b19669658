#include "tlm/backing_store.h"

#include <algorithm>
#include <cassert>

namespace gputlm {
namespace {

/// Calls `visit(page, offset in it, position in the array, count)` for each page of a range.
template <class Visit>
void by_page(Address address, Bytes bytes, Visit visit) {
  for (Bytes done = 0; done < bytes;) {
    const Bytes offset = (address + done) % BackingStore::kPageBytes;
    const Bytes count = std::min(bytes - done, BackingStore::kPageBytes - offset);
    visit((address + done) / BackingStore::kPageBytes, offset, done, count);
    done += count;
  }
}

}  // namespace

void BackingStore::read(Address address, unsigned char* to, Bytes bytes) const {
  assert(bytes <= capacity_ && address <= capacity_ - bytes);
  by_page(address, bytes, [&](std::uint64_t page, Bytes offset, Bytes done, Bytes count) {
    const auto found = pages_.find(page);
    if (found == pages_.end()) {
      std::fill_n(to + done, count, static_cast<unsigned char>(0));
    } else {
      std::copy_n(found->second->begin() + static_cast<std::ptrdiff_t>(offset), count, to + done);
    }
  });
}

void BackingStore::write(Address address, const unsigned char* from, Bytes bytes) {
  assert(bytes <= capacity_ && address <= capacity_ - bytes);
  by_page(address, bytes, [&](std::uint64_t number, Bytes offset, Bytes done, Bytes count) {
    auto& page = pages_[number];
    if (!page) page = std::make_unique<Page>();  // a page of zeros
    std::copy_n(from + done, count, page->begin() + static_cast<std::ptrdiff_t>(offset));
  });
}

}  // namespace gputlm
