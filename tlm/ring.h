/// A first-in first-out buffer of fixed capacity: one allocation at construction, none after.
#pragma once

#include <cassert>
#include <cstddef>
#include <memory>

namespace gputlm {

template <class T>
class Ring {
 public:
  explicit Ring(std::size_t capacity) {
    std::size_t size = 1;
    while (size < capacity) size *= 2;
    slots_ = std::make_unique<T[]>(size);
    mask_ = size - 1;
  }
  bool empty() const { return head_ == tail_; }
  bool full() const { return size() > mask_; }
  std::size_t size() const { return tail_ - head_; }
  T& front() { return slots_[head_ & mask_]; }
  const T& front() const { return slots_[head_ & mask_]; }
  T& back() { return slots_[(tail_ - 1) & mask_]; }
  T& operator[](std::size_t i) { return slots_[(head_ + i) & mask_]; }
  void push(T value) {
    assert(!full());
    slots_[tail_++ & mask_] = static_cast<T&&>(value);
  }
  T pop() {
    assert(!empty());
    return static_cast<T&&>(slots_[head_++ & mask_]);
  }

 private:
  std::unique_ptr<T[]> slots_;
  std::size_t mask_ = 0;
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
};

}  // namespace gputlm
