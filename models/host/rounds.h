/// Threads and streams that the host has to examine: only those with an event.
#pragma once

#include <cstddef>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace gputlm {

/// Numbers processed in rounds: each once per round, the lowest first. A number added above the current one is processed in
/// the same round, any other in the next, as if each round visited all numbers.
class Rounds {
 public:
  void add(std::size_t number) { (in_round_ && number <= at_ ? next_ : this_).push(number); }
  bool empty() const { return this_.empty() && next_.empty(); }

  /// Calls `look` with each number of a round; it may add numbers.
  template <class Look>
  void round(Look look) {
    while (!this_.empty()) {
      const std::size_t number = this_.top();
      this_.pop();
      if (in_round_ && number == at_) continue;
      in_round_ = true;
      at_ = number;
      look(number);
    }
    in_round_ = false;
    std::swap(this_, next_);
  }

 private:
  using LowestFirst = std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>>;
  LowestFirst this_, next_;
  std::size_t at_ = 0;
  bool in_round_ = false;
};

}  // namespace gputlm
