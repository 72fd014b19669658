/// Miss-status holding registers (MSHRs; Kroft, "Lockup-free instruction fetch/prefetch cache organization", ISCA 1981):
/// the lines of a cache with an outstanding miss, the sectors requested, and the requests that wait for them. One entry per
/// line; later misses to the line merge into it. Shared by L1 and L2.
///
/// A waiter is served when each sector that it missed has arrived since, even if the line has been replaced meanwhile.
/// Waiters of a line are served in order of arrival.
///
/// MshrFile finds an entry by its line. A cache whose tags store the entry of a line needs only MshrEntries.
#pragma once

#include <cassert>
#include <cstdint>
#include <vector>

#include "models/cache/sectored_tags.h"

namespace gputlm {

/// `Waiter`: what the cache keeps of a request that missed; a small value.
template <class Waiter>
class MshrEntries {
 public:
  using Index = std::uint32_t;
  static constexpr Index kNone = ~Index{0};

  /// `entries`: number of lines, at least 1. `merges`: maximum number of waiters of a line.
  MshrEntries(unsigned entries, unsigned merges) : merges_(merges), entries_(entries), free_(entries) {
    for (Index i = 0; i < entries; ++i) free_[i] = entries - 1 - i;
  }

  /// Every entry is in use.
  bool full() const { return free_.empty(); }
  unsigned in_use() const { return static_cast<unsigned>(entries_.size() - free_.size()); }
  /// Whether the line has the maximum number of waiters.
  bool merges_full(Index index) const { return entries_[index].waiting >= merges_; }
  unsigned waiting(Index index) const { return entries_[index].waiting; }
  /// Sectors asked for that have not arrived.
  SectorMask pending(Index index) const { return entries_[index].pending; }

  /// Opens an entry; requires !full(). The entry closed last is reused first.
  Index open() {
    const Index index = free_.back();
    free_.pop_back();
    return index;
  }
  /// Adds requested sectors.
  void ask(Index index, SectorMask sectors) { entries_[index].pending |= sectors; }
  /// Adds a waiter until all of `sectors`, which are pending, have arrived; requires !merges_full().
  void wait(Index index, const Waiter& waiter, SectorMask sectors) {
    Entry& entry = entries_[index];
    assert(sectors && !(sectors & ~entry.pending) && entry.waiting < merges_);
    append(entry, waiter, sectors);
  }
  /// Sectors have arrived: calls `served(waiter)` for each waiter whose sectors are complete, and closes the entry if
  /// nothing is pending any more. Returns whether it was closed.
  template <class Served>
  bool arrived(Index index, SectorMask sectors, Served served) {
    Entry& entry = entries_[index];
    entry.pending &= static_cast<SectorMask>(~sectors);
    if (entry.waiting > 0) serve(entry, sectors, served);
    if (entry.pending) return false;
    assert(entry.waiting == 0);
    free_.push_back(index);
    return true;
  }

 private:
  struct Node {
    Waiter waiter;
    Index next;          ///< index of the next waiter in nodes_
    SectorMask sectors;  ///< sectors still awaited
  };
  /// Most entries have one waiter, so the first is stored in the entry, within one cache line of the host.
  struct alignas(32) Entry {
    Node first{};
    Index last = kNone;  ///< index of the last waiter in nodes_, if there are two or more
    unsigned waiting = 0;
    SectorMask pending = 0;
  };

  /// Rebuilds the list of the remaining waiters.
  template <class Served>
  void serve(Entry& entry, SectorMask arrived, Served served) {
    Node node = entry.first;
    unsigned left = entry.waiting;
    entry.waiting = 0;
    for (;;) {
      node.sectors &= static_cast<SectorMask>(~arrived);
      const Index next = node.next;
      if (node.sectors) {
        append(entry, node.waiter, node.sectors);
      } else {
        served(node.waiter);
      }
      if (--left == 0) return;
      node = nodes_[next];
      nodes_[next].next = free_node_;
      free_node_ = next;
    }
  }
  void append(Entry& entry, const Waiter& waiter, SectorMask sectors) {
    if (entry.waiting++ == 0) {
      entry.first = {waiter, kNone, sectors};
      return;
    }
    const Index node = new_node();
    nodes_[node] = {waiter, kNone, sectors};
    (entry.waiting == 2 ? entry.first : nodes_[entry.last]).next = node;
    entry.last = node;
  }
  Index new_node() {
    if (free_node_ == kNone) add_node();
    const Index node = free_node_;
    free_node_ = nodes_[node].next;
    return node;
  }
  /// Kept out of new_node() so that it can be inlined into the code of every miss.
  [[gnu::noinline]] void add_node() {
    free_node_ = static_cast<Index>(nodes_.size());
    nodes_.push_back({Waiter{}, kNone, 0});
  }

  unsigned merges_;
  std::vector<Entry> entries_;
  std::vector<Index> free_;
  std::vector<Node> nodes_;  ///< waiters after the first of each entry; grows as needed
  Index free_node_ = kNone;
};

template <class Waiter>
class MshrFile : private MshrEntries<Waiter> {
  using Entries = MshrEntries<Waiter>;

 public:
  using Entries::ask, Entries::full, Entries::in_use, Entries::kNone, Entries::merges_full, Entries::pending,
      Entries::wait, Entries::waiting;
  using typename Entries::Index;

  MshrFile(unsigned entries, unsigned merges) : Entries(entries, merges), lines_(entries) {
    unsigned bits = 1;
    while ((1u << bits) < 2 * entries) ++bits;
    buckets_.assign(std::size_t{1} << bits, kNone);
    bucket_shift_ = 64 - bits;
  }

  /// Entry of a line; kNone if it has none.
  Index find(std::uint64_t line) const {
    Index index = buckets_[bucket_of(line)];
    while (index != kNone && lines_[index].number != line) index = lines_[index].next;
    return index;
  }
  std::uint64_t line(Index index) const { return lines_[index].number; }
  /// Opens an entry for a line that has none; requires !full().
  Index open(std::uint64_t line) {
    const Index index = Entries::open();
    Index& bucket = buckets_[bucket_of(line)];
    lines_[index] = {line, bucket};
    bucket = index;
    return index;
  }
  /// The same as MshrEntries::arrived().
  template <class Served>
  bool arrived(Index index, SectorMask sectors, Served served) {
    if (!Entries::arrived(index, sectors, served)) return false;
    Index* link = &buckets_[bucket_of(lines_[index].number)];
    while (*link != index) link = &lines_[*link].next;
    *link = lines_[index].next;
    return true;
  }

 private:
  struct Line {
    std::uint64_t number;
    Index next;  ///< entry of the next line in the same hash bucket
  };
  unsigned bucket_of(std::uint64_t line) const {  // Fibonacci hashing: the product's upper bits
    return static_cast<unsigned>(line * 0x9E3779B97F4A7C15u >> bucket_shift_);
  }

  std::vector<Line> lines_;  ///< line of each entry
  std::vector<Index> buckets_;
  unsigned bucket_shift_ = 0;
};

}  // namespace gputlm
