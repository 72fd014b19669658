/// A first-in first-out buffer of bounded capacity. It starts small and grows to what is really used, so that the many
/// queues of a GPU, most of which are nearly empty most of the time, stay in the host's cache.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <memory>
#include <utility>

namespace gputlm {

template <class T>
class Ring {
 public:
  explicit Ring(std::size_t capacity) : capacity_(capacity) { allocate(std::min<std::size_t>(capacity, 8)); }
  bool empty() const { return head_ == tail_; }
  bool full() const { return size() == capacity_; }
  std::size_t size() const { return tail_ - head_; }
  T& front() { return slots_[head_ & mask_]; }
  const T& front() const { return slots_[head_ & mask_]; }
  T& back() { return slots_[(tail_ - 1) & mask_]; }
  T& operator[](std::size_t i) { return slots_[(head_ + i) & mask_]; }
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
  void allocate(std::size_t wanted) {
    std::size_t size = 1;
    while (size < wanted) size *= 2;
    slots_ = std::make_unique<T[]>(size);
    mask_ = size - 1;
  }
  /// Apart from push(), which is then short enough to stand wherever it is called.
  [[gnu::noinline]] void grow_and_push(T value) {
    const std::unique_ptr<T[]> old = std::move(slots_);
    const std::size_t old_mask = mask_;
    allocate(2 * (mask_ + 1));
    for (std::size_t i = head_; i != tail_; ++i) slots_[i & mask_] = std::move(old[i & old_mask]);
    push(std::move(value));
  }
  std::size_t capacity_;
  std::unique_ptr<T[]> slots_;
  std::size_t mask_ = 0;
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
};

}  // namespace gputlm
