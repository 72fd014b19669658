/// A FIFO of bounded capacity. It starts small and grows as needed, so that the many queues of a GPU, which are mostly
/// nearly empty, stay in the host's cache.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace gputlm {

template <class T>
class Ring {
 public:
  /// `capacity` < 2^32.
  explicit Ring(std::size_t capacity) : capacity_(static_cast<std::uint32_t>(capacity)) {
    assert(capacity == capacity_);
    allocate(std::min<std::uint32_t>(capacity_, 8));
  }
  bool empty() const { return head_ == tail_; }
  bool full() const { return size() == capacity_; }
  std::size_t size() const { return tail_ - head_; }
  T& front() { return slots_[head_ & mask_]; }
  const T& front() const { return slots_[head_ & mask_]; }
  T& back() { return slots_[(tail_ - 1) & mask_]; }
  T& operator[](std::size_t i) { return slots_[(head_ + static_cast<std::uint32_t>(i)) & mask_]; }
  void push(T value) {
    assert(!full());
    if (size() > mask_) return grow_and_push(std::move(value));
    slots_[tail_++ & mask_] = std::move(value);
  }
  T pop() {
    assert(!empty());
    return std::move(slots_[head_++ & mask_]);
  }

 private:
  void allocate(std::uint32_t wanted) {
    std::uint32_t size = 1;
    while (size < wanted) size *= 2;
    slots_ = std::make_unique<T[]>(size);
    mask_ = size - 1;
  }
  /// Kept out of push() so that push() is short enough to be inlined.
  [[gnu::noinline]] void grow_and_push(T value) {
    const std::unique_ptr<T[]> old = std::move(slots_);
    const std::uint32_t old_mask = mask_;
    allocate(2 * (mask_ + 1));
    for (std::uint32_t i = head_; i != tail_; ++i) slots_[i & mask_] = std::move(old[i & old_mask]);
    push(std::move(value));
  }
  // Narrow, so that a class with a ring and other members fits one cache line. Head and tail wrap around.
  std::unique_ptr<T[]> slots_;
  std::uint32_t capacity_;
  std::uint32_t mask_ = 0;
  std::uint32_t head_ = 0;
  std::uint32_t tail_ = 0;
};

}  // namespace gputlm
