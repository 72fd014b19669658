/// The pending requests of a bank, in order of arrival. The oldest leaves at no cost; for another, the usually few older
/// ones move up.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "models/dram/scheduler.h"

namespace gputlm {

class RequestQueue final : public RequestView {
 public:
  RequestQueue() : RequestView(nullptr, 0) {}

  const Request& push_back(const Request& request) {
    if (begin_ + count_ == capacity_) make_room();
    return slots_[begin_ + count_++] = request;
  }
  void erase(std::size_t i) {
    for (Request* slot = &slots_[begin_ + i]; i > 0; --i, --slot) *slot = slot[-1];
    if (--count_ == 0) return start_at(0);
    ++begin_;
    ++first_;
  }

 private:
  void start_at(std::uint32_t begin) {
    begin_ = begin;
    first_ = &slots_[begin];
  }
  /// Doubles the slots if more than half of them are used. Moves the contents to the beginning.
  [[gnu::noinline]] void make_room() {
    std::unique_ptr<Request[]> larger;
    if (2 * count_ >= capacity_) {
      capacity_ = std::max(4u, 2 * capacity_);
      larger = std::make_unique<Request[]>(capacity_);
    }
    std::copy_n(first_, count_, larger ? larger.get() : slots_.get());
    if (larger) slots_ = std::move(larger);
    start_at(0);
  }

  std::unique_ptr<Request[]> slots_;
  std::uint32_t begin_ = 0, capacity_ = 0;
};

}  // namespace gputlm
