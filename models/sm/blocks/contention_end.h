/// An SM's end of the links to the contention unit (models/contention), which computes how blocks share the GPU: the counts
/// of its blocks, their pace, and the time that they have lost.
#pragma once

#include <algorithm>
#include <vector>

#include "models/kernel/launch.h"
#include "tlm/base/counters.h"
#include "tlm/block_rates.h"
#include "tlm/item_source.h"
#include "tlm/link.h"
#include "tlm/report.h"

namespace gputlm {

inline constexpr std::array<CounterLabel, kSharedResources> kSharedLabels{{
    {"issue", "issue slots of the SM"},
    {"pipe", "an execution pipeline of the SM"},
    {"l1", "the data array of L1 and shared memory"},
    {"sm_port", "the SM's port to the network"},
    {"l2_capacity", "lines of the L2 that others have replaced"},
    {"l2", "the rate of network and L2"},
    {"dram", "the rate of DRAM"},
}};

/// Time that blocks with a demand lost relative to running alone, by shared resource.
struct LostTime {
  std::array<std::uint64_t, kSharedResources> lost{};
  std::uint64_t gained = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = LostTime;
    v.counters(&S::lost, "lost_block_cycles", "block cycles", "Time that blocks with a demand took longer than alone",
               kSharedLabels);
    v.counter(&S::gained, "gained_block_cycles", "block cycles",
              "Time that they took less than alone, because fewer of them were resident");
  }
};

class ContentionEnd {
 public:
  ContentionEnd(ItemSource<BlockCount>& items, const Link& link)
      : counts(link.request.width, link.request.queue), counts_heard(link.response.queue), rates(link.request.queue),
        rates_heard(link.response.width, link.response.queue), source_(items) {}

  Cycle next() const {
    const Cycle send = unsent_ ? counts.ready_at() : kNever;
    return std::min({counts_heard.next(), rates.next(), send});
  }
  /// Receives paces. Calls `first` with the pace of a kernel that had none; it returns for how many block cycles its blocks
  /// have progressed without one.
  template <class First>
  void take(Cycle now, First first) {
    while (counts_heard.ready(now)) source_.release(counts_heard.pop(now));
    while (rates.ready(now)) {
      BlockRate& rate = rates.pop(now);
      if (Entry* const entry = find(rate.kernel)) {
        const bool had_none = entry->pace == 0;
        entry->pace = rate.pace;
        entry->lost = rate.lost;
        if (had_none) lose(*entry, first(rate.kernel, rate.pace));
      }
      rates_heard.send(std::max(now, rates_heard.ready_at()), rate);
    }
  }

  /// Call before counting the progressing blocks again.
  void begin_count() {
    for (Entry& entry : entries_) entry.blocks = 0;
  }
  void count(const BlockLaunch& block) {
    Entry* entry = find(block.identity.kernel);
    if (!entry) {
      entry = &entries_.emplace_back();
      entry->of = block.identity;
      entry->kernel = block.kernel;
    }
    ++entry->blocks;
  }
  /// Reports changes.
  void end_count(Cycle now) {
    unsent_ = false;
    for (Entry& entry : entries_) {
      if (entry.blocks == entry.said) continue;
      if (counts.ready_at() > now) {
        unsent_ = true;
        continue;
      }
      BlockCount& message = source_.allocate();
      message.of = entry.of;
      message.kernel = entry.kernel;
      message.blocks = entry.said = entry.blocks;
      counts.send(now, message);
    }
    const auto gone = [](const Entry& e) { return e.blocks == 0 && e.said == 0; };
    entries_.erase(std::remove_if(entries_.begin(), entries_.end(), gone), entries_.end());
  }
  bool unsent() const { return unsent_; }

  /// Pace of a kernel that has blocks here; 0: unknown. Until then, blocks progress as if alone; afterwards, as if they had
  /// had the pace from the beginning.
  BlockPace pace(KernelId kernel) const {
    const auto entry =
        std::find_if(entries_.begin(), entries_.end(), [=](const Entry& e) { return e.of.kernel == kernel; });
    return entry == entries_.end() ? 0 : entry->pace;
  }
  /// The counted blocks have progressed for `cycles` cycles.
  void get_on(Cycle cycles) {
    for (const Entry& entry : entries_) {
      if (entry.blocks > 0) lose(entry, cycles * entry.blocks);
    }
  }
  ByApplication<LostTime> lost() const {
    ByApplication<LostTime> cycles = lost_;
    for (auto& [application, its] : cycles) {
      for (std::uint64_t& part : its.lost) part >>= kPaceFraction;
      its.gained >>= kPaceFraction;
    }
    return cycles;
  }

  Outbox<BlockCount> counts;
  Inbox<BlockCount> counts_heard;  ///< these messages, returned
  Inbox<BlockRate> rates;
  Outbox<BlockRate> rates_heard;  ///< these messages, returned

 private:
  struct Entry;
  void lose(const Entry& entry, Cycle block_cycles) {
    LostTime& lost = lost_[entry.of.application];
    for (std::size_t i = 0; i < kSharedResources; ++i) {
      const std::int64_t its = std::int64_t{entry.lost[i]} * static_cast<std::int64_t>(block_cycles);
      if (its >= 0) {
        lost.lost[i] += static_cast<std::uint64_t>(its);
      } else {
        lost.gained += static_cast<std::uint64_t>(-its);
      }
    }
  }
  struct Entry {
    Identity of;
    const Kernel* kernel = nullptr;
    unsigned blocks = 0, said = 0;
    BlockPace pace = 0;
    std::array<std::int32_t, kSharedResources> lost{};
  };
  Entry* find(KernelId kernel) {
    const auto entry =
        std::find_if(entries_.begin(), entries_.end(), [=](const Entry& e) { return e.of.kernel == kernel; });
    return entry == entries_.end() ? nullptr : &*entry;
  }

  ItemSource<BlockCount>& source_;
  std::vector<Entry> entries_;
  ByApplication<LostTime> lost_;  ///< time lost, in units of 2^-20 block cycles
  bool unsent_ = false;
};

}  // namespace gputlm
