/// Surroundings for the MMU, without SystemC: SMs that ask for pages and forget them when told, a memory that answers reads
/// of the page table, copy engines that take a time for a copy. Their actions are a function of the cycles at which the MMU
/// acted, at least a hop later, and thus do not depend on how time is cut into calls of advance().
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "models/mmu/core.h"
#include "tests/unit/sm/plain_items.h"

namespace gputlm::test {

inline constexpr Cycle kHop = 20;
inline constexpr Bytes kPage = 4096;

/// A cycle is a nanosecond.
inline const Clock kClock(1000000);

/// Few of everything, and round numbers.
inline MmuConfig small_mmu() {
  MmuConfig config;
  config.enabled = true;
  config.page_bytes = kPage;
  config.tlb_entries = 16;
  config.tlb_ways = 16;
  config.tlb_latency = 10;
  config.walkers = 4;
  config.levels = 3;
  config.walk_cache_entries = 1;
  config.fault_buffer = 64;
  config.batch_faults = 8;
  config.batch_ns = 1000;
  config.fault_ns = 100;
  config.prefetch_bytes = kPage;
  config.prefetch_percent = 100;
  config.block_bytes = 16 * kPage;
  config.device_memory = 1024 * kPage;
  return config;
}

struct Answer {
  Cycle at;
  unsigned sm;
  std::uint64_t page;
  bool operator==(const Answer& other) const { return at == other.at && sm == other.sm && page == other.page; }
};

class MmuHarness {
 public:
  /// If `managed` is empty, no fault is far.
  explicit MmuHarness(const MmuConfig& config, std::vector<AddressRange> managed = {}, unsigned sms = 2)
      : map_(MemoryMapConfig{}, 4),
        core(config, {16, {{sms, {7, {40, 8}, {1, {1, 1, 64}, {1, 1, 64}}, map_}}}},
             managed.empty() ? nullptr : std::make_unique<FaultHandler>(config, managed, kClock, 4, copies_), accesses_,
             shootdowns_) {}

  void ask(std::uint64_t page, unsigned sm = 0, Cycle at = 0) {
    Translation& item = *asked_.emplace_back(std::make_unique<Translation>());
    item.page = page;
    item.identity.sm = static_cast<SmId>(sm);
    wanted_.emplace(std::make_pair(at, asked_.size()), &item);
  }

  /// Runs until all that was asked for has been answered.
  bool run(const std::function<Cycle()>& window, Cycle limit = 1000000) {
    for (Cycle now = now_; now < limit; now = now_) {
      now_ = now + window();
      deliver(now_);
      core.advance(now_);
      collect();
      if (answers.size() == asked_.size()) return accesses_.in_use() == 0;
    }
    return false;
  }
  bool run(Cycle limit = 1000000) {
    return run([] { return kHop; }, limit);
  }
  MmuStatistics statistics() const { return core.statistics(now_); }

  Cycle read_latency = 100;   ///< latency of a read of the page table, from the MMU and back
  Cycle copy_latency = 1000;  ///< latency of a copy

 private:
  template <class Item>
  using Coming = std::multimap<Cycle, Item*>;

  template <class Item>
  static void pass(Coming<Item>& from, Receiver<Item>& to, Cycle until) {
    for (; !from.empty() && from.begin()->first < until; from.erase(from.begin()))
      to.push(from.begin()->first, *from.begin()->second);
  }
  template <class Receiver, class Sender>
  static void give_back(Receiver& receiver, Sender& sender) {
    std::sort(receiver.freed_slots().begin(), receiver.freed_slots().end());
    for (const Cycle at : receiver.freed_slots()) sender.credit(at + kHop, 1);
    receiver.freed_slots().clear();
  }

  void deliver(Cycle until) {
    for (; !wanted_.empty() && wanted_.begin()->first.first < until; wanted_.erase(wanted_.begin())) {
      Translation& item = *wanted_.begin()->second;
      core.requests(item.identity.sm).push(wanted_.begin()->first.first, item);
    }
    pass<Access>(reads_, core.walker().replies(0), until);
    for (; !forgotten_.empty() && forgotten_.begin()->first < until; forgotten_.erase(forgotten_.begin())) {
      const auto [sm, item] = forgotten_.begin()->second;
      core.shootdown_ends(sm).push(forgotten_.begin()->first, *item);
    }
    if (core.faults()) pass<Copy>(moving_, core.faults()->copy_ends(), until);
  }

  void collect() {
    for (const auto& departure : core.walker().requests(0).departures()) {
      read.push_back(departure.item->address);
      reads_.emplace(departure.slot + read_latency, departure.item);
    }
    core.walker().requests(0).departures().clear();
    give_back(core.walker().replies(0), core.walker().requests(0));
    for (unsigned sm = 0; sm < core.sms(); ++sm) {
      for (const auto& departure : core.answers(sm).departures()) {
        answers.push_back({departure.slot, sm, departure.item->page});
        core.answers(sm).credit(departure.slot + 2 * kHop, 1);
      }
      core.answers(sm).departures().clear();
      for (const auto& departure : core.shootdowns(sm).departures()) {
        if (sm == 0) shot_down.push_back({departure.slot, departure.item->first_page});
        core.shootdowns(sm).credit(departure.slot + 2 * kHop, 1);
        forgotten_.emplace(departure.slot + 2 * kHop + sm, std::make_pair(sm, departure.item));
      }
      core.shootdowns(sm).departures().clear();
      core.requests(sm).freed_slots().clear();
      core.shootdown_ends(sm).freed_slots().clear();
    }
    if (!core.faults()) return;
    for (const auto& departure : core.faults()->copies().departures()) {
      copied.push_back({departure.slot, *departure.item});
      moving_.emplace(departure.slot + copy_latency, departure.item);
    }
    core.faults()->copies().departures().clear();
    give_back(core.faults()->copy_ends(), core.faults()->copies());
  }

  struct ShotDown {
    Cycle at;
    std::uint64_t first_page;
  };
  struct Copied {
    Cycle at;
    Copy copy;
  };

  MemoryMap map_;
  PlainItems<Access> accesses_;
  PlainItems<Shootdown> shootdowns_;
  PlainItems<Copy> copies_;
  std::vector<std::unique_ptr<Translation>> asked_;
  std::map<std::pair<Cycle, std::size_t>, Translation*> wanted_;
  Coming<Access> reads_;
  Coming<Copy> moving_;
  std::multimap<Cycle, std::pair<unsigned, Shootdown*>> forgotten_;
  Cycle now_ = 0;

 public:
  MmuCore core;
  std::vector<Answer> answers;
  std::vector<Address> read;  ///< addresses that were read from the page table
  std::vector<ShotDown> shot_down;
  std::vector<Copied> copied;
};

}  // namespace gputlm::test
