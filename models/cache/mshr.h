/// Miss-status holding registers (MSHRs; Kroft, "Lockup-free instruction fetch/prefetch cache organization", ISCA 1981):
/// the lines of a cache that have a miss under way, the sectors that were asked for, and who waits for them. One entry a
/// line; later misses to the line merge into it. Shared by L1 and L2.
///
/// A waiter is served when each sector that it missed has arrived since, whatever has become of the line meanwhile.
/// Waiters of a line are served in the order in which they came.
#pragma once

#include <cassert>
#include <cstdint>
#include <vector>

#include "models/cache/sectored_tags.h"

namespace gputlm {

/// `Waiter`: what the cache keeps of a request that missed; a small value.
template <class Waiter>
class MshrFile {
 public:
  using Index = std::uint32_t;
  static constexpr Index kNone = ~Index{0};

  /// `entries`: lines, at least 1. `merges`: waiters of a line.
  MshrFile(unsigned entries, unsigned merges) : merges_(merges), entries_(entries), free_(entries) {
    for (Index i = 0; i < entries; ++i) free_[i] = entries - 1 - i;
    unsigned bits = 1;
    while ((1u << bits) < 2 * entries) ++bits;
    buckets_.assign(std::size_t{1} << bits, kNone);
    bucket_shift_ = 64 - bits;
  }

  /// Entry of a line; kNone if it has none.
  Index find(std::uint64_t line) const {
    Index index = buckets_[bucket_of(line)];
    while (index != kNone && entries_[index].line != line) index = entries_[index].next;
    return index;
  }
  /// Every entry is in use.
  bool full() const { return free_.empty(); }
  unsigned in_use() const { return static_cast<unsigned>(entries_.size() - free_.size()); }
  /// As many wait for the line as may.
  bool merges_full(Index index) const { return entries_[index].waiting >= merges_; }
  unsigned waiting(Index index) const { return entries_[index].waiting; }
  std::uint64_t line(Index index) const { return entries_[index].line; }
  /// Sectors asked for that have not arrived.
  SectorMask pending(Index index) const { return entries_[index].pending; }

  /// A new entry, for a line that has none; the file is not full().
  Index open(std::uint64_t line) {
    const Index index = free_.back();
    free_.pop_back();
    Index& bucket = buckets_[bucket_of(line)];
    entries_[index] = {line, 0, 0, kNone, kNone, bucket};
    bucket = index;
    return index;
  }
  /// More sectors have been asked for.
  void ask(Index index, SectorMask sectors) { entries_[index].pending |= sectors; }
  /// Keeps a waiter until all of `sectors`, which are pending, have arrived; not if merges_full().
  void wait(Index index, const Waiter& waiter, SectorMask sectors) {
    Entry& entry = entries_[index];
    assert(sectors && !(sectors & ~entry.pending) && entry.waiting < merges_);
    const Index node = new_node();
    nodes_[node] = {waiter, kNone, sectors};
    (entry.waiting++ ? nodes_[entry.last].next : entry.first) = node;
    entry.last = node;
  }
  /// Sectors have arrived: calls `served(waiter)` for each that has all of its own now, and closes the entry when nothing
  /// is pending any more. True if it has been closed.
  template <class Served>
  bool arrived(Index index, SectorMask sectors, Served served) {
    Entry& entry = entries_[index];
    entry.pending &= static_cast<SectorMask>(~sectors);
    Index previous = kNone;
    for (Index i = entry.first; i != kNone;) {
      Node& node = nodes_[i];
      const Index next = node.next;
      node.sectors &= static_cast<SectorMask>(~sectors);
      if (node.sectors) {
        previous = i;
      } else {
        (previous == kNone ? entry.first : nodes_[previous].next) = next;
        node.next = free_node_;
        free_node_ = i;
        --entry.waiting;
        served(node.waiter);
      }
      i = next;
    }
    entry.last = previous;
    if (entry.pending) return false;
    assert(entry.waiting == 0);
    close(index);
    return true;
  }

 private:
  struct Entry {
    std::uint64_t line = 0;
    SectorMask pending = 0;
    unsigned waiting = 0;               ///< length of the list
    Index first = kNone, last = kNone;  ///< list of nodes
    Index next = kNone;                 ///< in its hash bucket
  };
  struct Node {
    Waiter waiter;
    Index next;
    SectorMask sectors;  ///< still awaited
  };

  Index new_node() {
    if (free_node_ == kNone) {
      nodes_.push_back({Waiter{}, kNone, 0});
      return static_cast<Index>(nodes_.size() - 1);
    }
    const Index node = free_node_;
    free_node_ = nodes_[node].next;
    return node;
  }
  void close(Index index) {
    Index* link = &buckets_[bucket_of(entries_[index].line)];
    while (*link != index) link = &entries_[*link].next;
    *link = entries_[index].next;
    free_.push_back(index);
  }
  unsigned bucket_of(std::uint64_t line) const {  // Fibonacci hashing: the product's upper bits
    return static_cast<unsigned>(line * 0x9E3779B97F4A7C15u >> bucket_shift_);
  }

  unsigned merges_;
  std::vector<Entry> entries_;
  std::vector<Index> free_;
  std::vector<Index> buckets_;
  unsigned bucket_shift_ = 0;
  std::vector<Node> nodes_;  ///< grows to what is really used
  Index free_node_ = kNone;
};

}  // namespace gputlm
