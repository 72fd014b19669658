/// What makes calls out of a unit once it has computed a window, and which of them have some to make.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace gputlm {

/// Says that there is something to flush. Until it has a place, nobody asks.
class FlushMark {
 public:
  void set() const {
    if (place_) *place_ = Value::kSet;
  }

 private:
  friend class FlushList;
  /// A byte that is no character, as a write of one might change anything that is in a register.
  enum class Value : std::uint8_t { kNone, kSet };
  Value* place_ = nullptr;
};

/// A port, which sends what the core has put into its outbox, or a log of events, which tells its observers.
class Flushable {
 public:
  Flushable() = default;
  Flushable(const Flushable&) = delete;
  Flushable& operator=(const Flushable&) = delete;
  virtual ~Flushable() = default;
  virtual void flush() = 0;

 protected:
  /// To be set by what has something to flush: it is not flushed otherwise.
  const FlushMark& mark() const { return mark_; }

 private:
  friend class FlushList;
  /// Marks go elsewhere from now on.
  virtual void mark_moved() {}

  FlushMark mark_;
};

/// What a unit has to flush, in the order in which it was added. A unit with hundreds of ports, of which few have sent
/// something, reads a byte for each, and eight at a time.
class FlushList {
 public:
  /// Marked from the beginning. Once, however often it is told.
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

  /// Flushes what is marked. What is marked meanwhile is flushed the next time.
  void flush() {
    take([this](std::size_t number) {
      all_[number]->flush();
      return true;
    });
  }
  /// Calls `each(number)` for what is marked; where it returns false the mark stays.
  template <class Each>
  void take(Each each) {
    for (std::size_t first = 0; first < marks_.size(); first += kWord) {
      std::uint64_t marked;
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
  /// In words whose least byte is the first.
  static constexpr std::size_t place(std::size_t number) {
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? number : number ^ (kWord - 1);
  }

  std::vector<Flushable*> all_;
  std::vector<FlushMark::Value> marks_;  ///< whole words
};

}  // namespace gputlm
