/// The units of work that a block does in sequence (WorkElement).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "models/kernel/program.h"

namespace gputlm {

class WorkUnits {
 public:
  /// The units of block `block` of `blocks`, with `warps` warps.
  WorkUnits(std::uint32_t units, WorkElement::Schedule schedule, std::uint32_t block, std::uint32_t blocks,
            std::uint32_t warps)
      : schedule_(schedule), block_(block), blocks_(blocks), warps_(warps), taken_{block, block} {
    if (schedule == WorkElement::Schedule::kStatic) {
      rounds_ = (units - block + blocks - 1) / blocks;
    } else {
      queue_ = std::make_shared<Queue>(Queue{units, block, {std::uint64_t{block} + blocks}});
    }
  }

  /// From here on both blocks take from one queue the units that a static schedule would give them, lowest first.
  void share_with(const WorkUnits& other) {
    if (!queue_) return;
    other.queue_->next.insert(other.queue_->next.end(), queue_->next.begin(), queue_->next.end());
    queue_ = other.queue_;
  }

  /// The unit of round `round`, one of the last two.
  std::uint32_t unit(std::uint32_t round) const {
    return schedule_ == WorkElement::Schedule::kStatic ? block_ + round * blocks_ : taken_[round % 2];
  }

  /// The block that founded the queue.
  std::uint32_t queue() const { return queue_->founder; }

  /// Called when a warp reaches the end of a round. Returns the rounds that it has passed, and one more if there is another
  /// unit. Each warp calls it once per round, and not in the next round before all have called it in this one: a barrier lies
  /// between. The first call takes the unit.
  std::uint32_t rounds() {
    if (schedule_ == WorkElement::Schedule::kStatic) return rounds_;
    if (asked_++ % warps_ == 0) {
      const std::optional<std::uint32_t> next = queue_->take(blocks_);
      ++rounds_;
      if (next) taken_[rounds_ % 2] = *next;
      more_ = next.has_value();
    }
    return rounds_ + more_;
  }

 private:
  struct Queue {
    std::uint64_t units;
    std::uint32_t founder;
    std::vector<std::uint64_t> next;  ///< next unit of each participating block

    std::optional<std::uint32_t> take(std::uint32_t blocks) {
      const auto least = std::min_element(next.begin(), next.end());
      if (*least >= units) return std::nullopt;
      const auto unit = static_cast<std::uint32_t>(*least);
      *least += blocks;
      return unit;
    }
  };

  WorkElement::Schedule schedule_;
  std::uint32_t block_, blocks_, warps_;
  std::uint32_t taken_[2];    ///< dynamic: units of this round and the next
  std::uint32_t rounds_ = 0;  ///< number of rounds; static: all; dynamic: those that have ended
  bool more_ = false;
  std::uint64_t asked_ = 0;
  std::shared_ptr<Queue> queue_;  ///< null unless dynamic
};

}  // namespace gputlm
