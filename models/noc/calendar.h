/// Items by due cycle. Nearly all are due in the next 64 cycles, which have a list each; items of a cycle are taken in the
/// order of add().
///
/// An `Item` has a member `Item* next`, which the calendar uses while it holds the item.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

#include "tlm/base/time.h"

namespace gputlm {

template <class Item>
class Calendar {
 public:
  static constexpr unsigned kCycles = 64;

  /// Adds an item at cycle `at`, no earlier than the beginning of the calendar.
  void add(Cycle at, Item& item) {
    assert(at >= begin_);
    if (at - begin_ >= kCycles) return add_later(at, item);
    Item*& last = last_[at % kCycles];
    if (cycles_ & bit(at)) {
      item.next = last->next;
      last->next = &item;
    } else {
      cycles_ |= bit(at);
      item.next = &item;
    }
    last = &item;
  }
  /// The first cycle with an item; kNever if empty.
  Cycle next() const {
    const Cycle next = cycles_ == 0 ? kNever : begin_ + static_cast<unsigned>(__builtin_ctzll(cycles()));
    return later_.empty() ? next : std::min(next, next_later());
  }
  /// Moves the beginning of the calendar to `at`, no later than next().
  void begin_at(Cycle at) {
    assert(at <= next());
    begin_ = at;
    if (!later_.empty()) add_those_of_later();
  }
  /// The set of those of the first kCycles cycles that have items, one bit each.
  std::uint64_t cycles() const { return cycles_ >> begin_ % kCycles | cycles_ << -begin_ % kCycles; }
  /// Takes all items of one of these cycles, which has some: returns the last, whose `next` is the first, as a circular
  /// list.
  Item& take(Cycle at) {
    assert(cycles_ & bit(at));
    cycles_ &= ~bit(at);
    return *last_[at % kCycles];
  }

 private:
  struct Later {
    Cycle at;
    Item* item;
  };

  static std::uint64_t bit(Cycle at) { return std::uint64_t{1} << at % kCycles; }
  [[gnu::noinline]] void add_later(Cycle at, Item& item) { later_.push_back({at, &item}); }
  [[gnu::noinline]] Cycle next_later() const {
    Cycle next = kNever;
    for (const Later& later : later_) next = std::min(next, later.at);
    return next;
  }
  [[gnu::noinline]] void add_those_of_later() {
    const auto all = std::exchange(later_, {});
    for (const Later& later : all) add(later.at, *later.item);
  }

  Cycle begin_ = 0;
  std::uint64_t cycles_ = 0;           ///< a bit for each cycle, modulo kCycles, that has items
  std::array<Item*, kCycles> last_{};  ///< last item of each of these cycles
  std::vector<Later> later_;           ///< later items, in the order in which they were added
};

}  // namespace gputlm
