#include "models/mmu/page_walker.h"

#include <algorithm>

namespace gputlm {
namespace {

constexpr Address kTables = Address{1} << 47;  // address of the root; programs use 47 bits
constexpr unsigned kLevelShift = 42;  // a level's entries need less: 2^36 pages of 4 KiB in 48 bits, 8 bytes each
constexpr Bytes kEntryBytes = 8;

unsigned log2(std::uint64_t value) {
  unsigned bits = 0;
  while (value >> bits > 1) ++bits;
  return bits;
}

}  // namespace

PageWalker::PageWalker(const MmuConfig& config, const std::vector<NetworkInterface>& networks, AccessSource& accesses)
    : accesses_(accesses), levels_(config.levels), bits_(log2(config.table_entries)),
      tables_(config.walk_cache_entries, config.walk_cache_entries), walks_(config.walkers), to_send_(config.walkers) {
  for (const NetworkInterface& network : networks) {
    ways_.push_back({network, Outbox<Access>(network.link.request.width, network.link.request.queue),
                     Inbox<Access>(network.link.response.queue)});
  }
  for (std::uint32_t w = config.walkers; w > 0; --w) free_.push_back(w - 1);
}

void PageWalker::start(std::uint64_t page, std::uint32_t tag, const Identity& identity) {
  const std::uint32_t walker = free_.back();
  free_.pop_back();
  unsigned level = levels_ - 1;
  while (level > 0 && !tables_.lookup(table(page, level))) --level;
  walks_[walker] = {page, tag, level, identity};
  to_send_.push(walker);
}

Cycle PageWalker::next() const {
  Cycle next = to_send_.empty() ? kNever : way_of(to_send_.front()).requests.ready_at();
  for (const Way& way : ways_) next = std::min(next, way.replies.next());
  return next;
}

bool PageWalker::descend(std::uint32_t walker) {
  Walk& walk = walks_[walker];
  if (++walk.level == levels_) return true;
  tables_.insert(table(walk.page, walk.level));
  to_send_.push(walker);
  return false;
}

void PageWalker::send(Cycle now) {
  while (!to_send_.empty() && way_of(to_send_.front()).requests.ready_at() <= now) {
    const std::uint32_t walker = to_send_.pop();
    const Walk& walk = walks_[walker];
    Way& way = way_of(walker);
    Access& access = accesses_.allocate();
    const std::uint64_t page = walk.page & ((std::uint64_t{1} << kPageBits) - 1);
    const Address at = kTables + (Address{walk.level} << kLevelShift) + entry(page, walk.level) * kEntryBytes;
    access.address = at / kSectorBytes * kSectorBytes;
    access.bytes = static_cast<std::uint16_t>(kSectorBytes);
    access.identity = walk.identity;
    access.tag = walker;
    access.issued = now;
    way.network.address(access);
    ++reads_;
    way.requests.send(now, access);
  }
}

}  // namespace gputlm
