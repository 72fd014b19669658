/// The two ends of a link between units, as the cores see them. Flow control is by credits: the sender holds one credit per
/// free slot of the receiver's queue, and regains it a hop after the slot was freed. Everything is stamped with a cycle of
/// the owner's clock, so a core may compute ahead of simulated time without changing the result.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <vector>

#include "tlm/base/append.h"
#include "tlm/base/divisor.h"
#include "tlm/base/ring.h"
#include "tlm/base/time.h"
#include "tlm/flushable.h"

namespace gputlm {

/// The parameters of a link between two units. Both ends get the same value; each has its own clock.
struct Link {
  struct Direction {
    Femtoseconds flit = 0;  ///< time of one flit on the link
    unsigned width = 1;     ///< flits per cycle of the sender
    unsigned queue = 1;     ///< slots of the receiver's queue: the sender's credits
    bool operator==(const Direction& other) const {
      return flit == other.flit && width == other.width && queue == other.queue;
    }
  };
  Femtoseconds latency = 0;  ///< latency of a hop, each way; an upper bound of the step
  Direction request;         ///< direction towards the target
  Direction response;        ///< direction towards the initiator
  /// Credits of a full queue come back in this many batches; 0: each on its own.
  unsigned credit_batches = 0;
  bool operator==(const Link& other) const {
    return latency == other.latency && request == other.request && response == other.response &&
           credit_batches == other.credit_batches;
  }
};

/// The sending end. `Item` has a member `flits`: the number of link slots that it occupies.
///
/// It occupies two cache lines of the host: while a core sends, another thread may empty the list that is not being filled,
/// which is in the second line.
template <class Item>
class alignas(64) Outbox {
 public:
  /// An item that left, and the slot in which it started. A link of width w has w slots per cycle; slot s begins in cycle s
  /// / w.
  struct Departure {
    std::uint64_t slot;
    Item* item;
    Cycle cycle = 0;
  };

  /// `width`: flits per cycle. `credits`: queue slots of the receiver.
  Outbox(unsigned width, unsigned credits) : credits_(credits), width_(width), arriving_(credits + 1) {}

  /// Earliest cycle at which send() is allowed; kNever while no credit is known to come.
  Cycle ready_at() const {
    if (credits_ > 0) return link_free_;
    return arriving_.empty() ? kNever : std::max(link_free_, arriving_.front().at);
  }
  /// Sends at cycle `now` >= ready_at(); calls are in order of `now`.
  [[gnu::always_inline]] void send(Cycle now, Item& item) {
    assert(now >= ready_at());
    if (credits_ == 0) credits_ = arriving_.pop().count;
    --credits_;
    const std::uint64_t first = now * width_.value(), slot = std::max(first, next_slot_);
    mark_.set();
    flits_ += item.flits;
    append(departures_[filling_], Departure{slot, &item, now});
    next_slot_ = slot + item.flits;
    link_free_ = now + width_.quotient(static_cast<std::uint32_t>(next_slot_ - first));
  }
  /// Adds credits that can be used from cycle `at` on; calls are in order of `at`.
  void credit(Cycle at, unsigned count) { arriving_.push({at, count}); }

  /// Sets the initial credits, before anything is sent.
  void start_with(unsigned credits) {
    credits_ = credits;
    arriving_ = Ring<Credit>(credits + 1);
  }
  unsigned credits() const { return credits_; }
  /// The shell takes the departures and clears the list. There are two lists, of which one is being filled.
  std::vector<Departure>& departures(unsigned list) { return departures_[list]; }
  std::vector<Departure>& departures() { return departures_[filling_]; }
  /// Selects the list that is filled from now on.
  void fill(unsigned list) { filling_ = list; }
  /// Mark to be set when something is added to the list.
  void mark_with(const FlushMark& mark) { mark_ = mark; }
  unsigned width() const { return width_.value(); }
  /// Flits sent so far.
  std::uint64_t flits() const { return flits_; }
  /// Whether no credit is at hand or on its way: the link waits for the receiver.
  bool starved() const { return credits_ == 0 && arriving_.empty(); }

 private:
  struct Credit {
    Cycle at;
    unsigned count;
  };
  unsigned credits_;
  unsigned filling_ = 0;
  std::uint64_t next_slot_ = 0;  ///< the first free slot
  Cycle link_free_ = 0;          ///< the cycle in which it begins
  Divisor width_;
  Ring<Credit> arriving_;
  std::array<std::vector<Departure>, 2> departures_;
  std::uint64_t flits_ = 0;
  FlushMark mark_;
};

/// The receiving end: what a shell needs of a queue. The owner calls freed() for each slot that it empties.
template <class Item>
class Receiver {
 public:
  explicit Receiver(unsigned depth) : depth_(depth) {}
  virtual ~Receiver() = default;
  /// Adds an item that can be used from cycle `at` on; calls are in order of `at`.
  virtual void push(Cycle at, Item& item) = 0;
  /// A slot is free from cycle `at` on; calls are in order of `at`.
  void freed(Cycle at) {
    if (++unreported_ < batch_) return;
    unreported_ = 0;
    report(at);
  }
  /// Several slots are free.
  void freed(Cycle at, unsigned slots) {
    for (unreported_ += slots; unreported_ >= batch_; unreported_ -= batch_) report(at);
  }
  /// Number of freed slots that are reported together, when the last of them is free; default 1.
  void report_in_batches_of(unsigned slots) { batch_ = slots; }
  unsigned batch() const { return batch_; }
  /// Cycles at which slots were reported since the shell last cleared the list, in order. There are two lists, of which one
  /// is being filled.
  std::vector<Cycle>& freed_slots(unsigned list) { return freed_[list]; }
  std::vector<Cycle>& freed_slots() { return freed_[filling_]; }
  /// Selects the list that is filled from now on.
  void fill(unsigned list) { filling_ = list; }
  /// Mark to be set when something is added to the list.
  void mark_with(const FlushMark& mark) { mark_ = mark; }
  unsigned depth() const { return depth_; }

 private:
  void report(Cycle at) {
    mark_.set();
    append(freed_[filling_], at);
  }

  unsigned depth_;
  unsigned batch_ = 1;
  unsigned unreported_ = 0;
  unsigned filling_ = 0;
  std::array<std::vector<Cycle>, 2> freed_;
  FlushMark mark_;
};

/// A receiving end with one FIFO queue.
template <class Item>
class Inbox : public Receiver<Item> {
 public:
  explicit Inbox(unsigned depth) : Receiver<Item>(depth), queue_(depth + 1) {}
  void push(Cycle at, Item& item) override { queue_.push({at, &item}); }
  /// Cycle at which the head can be used; kNever when empty.
  Cycle next() const { return queue_.empty() ? kNever : queue_.front().at; }
  bool ready(Cycle now) const { return next() <= now; }
  Item& front() { return *queue_.front().item; }
  /// Takes the head at cycle `now` and frees its slot.
  Item& pop(Cycle now) {
    this->freed(now);
    return *queue_.pop().item;
  }
  /// Takes the head without freeing its slot: the caller calls freed().
  Item& take() { return *queue_.pop().item; }
  std::size_t size() const { return queue_.size(); }

 private:
  struct Arrival {
    Cycle at;
    Item* item;
  };
  Ring<Arrival> queue_;
};

}  // namespace gputlm
