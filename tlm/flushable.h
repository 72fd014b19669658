/// Members of a unit that call other modules once the unit has computed a window, and the list that knows which have calls
/// to make.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace gputlm {

/// Marks its owner as having something to flush. Has no effect until a FlushList gives it a place.
class FlushMark {
 public:
  void set() const {
    if (place_) *place_ = Value::kSet;
  }

 private:
  friend class FlushList;
  /// A byte that is not a character type: a write through a character type may alias anything that is held in a register.
  enum class Value : std::uint8_t { kNone, kSet };
  Value* place_ = nullptr;
};

/// A port, which sends the contents of its core's outbox, or a tap, which notifies its watchers.
class Flushable {
 public:
  Flushable() = default;
  Flushable(const Flushable&) = delete;
  Flushable& operator=(const Flushable&) = delete;
  virtual ~Flushable() = default;
  virtual void flush() = 0;

 protected:
  /// To be set by a class that has something to flush; it is not flushed otherwise.
  const FlushMark& mark() const { return mark_; }

 private:
  friend class FlushList;
  /// Called when the place of the mark has changed.
  virtual void mark_moved() {}

  FlushMark mark_;
};

/// The flushables of a unit, in the order in which they were added. A unit with hundreds of ports, few of which have sent
/// something, reads one byte per port, eight at a time.
class FlushList {
 public:
  /// Adds it, marked. Adding it again has no effect.
  void add(Flushable& flushable) {
    if (flushable.mark_.place_) return;
    all_.push_back(&flushable);
    marks_.resize((all_.size() + kWord - 1) / kWord * kWord);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      all_[i]->mark_.place_ = &marks_[place(i)];
      all_[i]->mark_moved();
    }
    flushable.mark_.set();
  }
  std::size_t size() const { return all_.size(); }
  Flushable& operator[](std::size_t number) const { return *all_[number]; }

  /// Flushes all that are marked. One marked meanwhile is flushed next time.
  void flush() {
    take([this](std::size_t number) {
      all_[number]->flush();
      return true;
    });
  }
  /// Calls `each(number)` for all that are marked; a mark stays if it returns false.
  template <class Each>
  void take(Each each) {
    for (std::size_t first = 0; first < marks_.size(); first += kWord) {
      std::uint64_t marked = 0;
      std::memcpy(&marked, &marks_[first], kWord);
      if (marked == 0) continue;
      std::memset(&marks_[first], 0, kWord);
      for (; marked != 0; marked &= marked - 1) {
        const std::size_t number = first + static_cast<unsigned>(__builtin_ctzll(marked)) / 8;
        if (!each(number)) marks_[place(number)] = FlushMark::Value::kSet;
      }
    }
  }

 private:
  static constexpr std::size_t kWord = sizeof(std::uint64_t);
  /// Index of the byte that is number `number` from the least significant end of its word.
  static constexpr std::size_t place(std::size_t number) {
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? number : number ^ (kWord - 1);
  }

  std::vector<Flushable*> all_;
  std::vector<FlushMark::Value> marks_;  ///< a byte for each of them, in whole words
};

}  // namespace gputlm
