/// What a sorter of rtl/ must do, cycle by cycle: warp slots, budgets, and the C++ policy that decides.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "models/sm/rtl_sorter.h"
#include "models/sm/warp_scheduler.h"

namespace gputlm {

/// Makes the policy of a sub-core; what make_warp_scheduler() does for a name.
using WarpSchedulerMaker = std::function<std::unique_ptr<WarpScheduler>()>;

/// What the outputs must be while the inputs are stable.
struct SorterExpected {
  std::optional<unsigned> slot;  ///< that is granted, if any
  /// All warps, first the one that goes first: what the policy picks of all, of the others, and so on.
  std::vector<unsigned> order;
};

class SorterReference {
 public:
  struct Group {
    unsigned budget = 1;
    std::uint64_t warps = 0;  ///< by slot
  };

  /// Starts reset.
  SorterReference(const SorterSize& size, WarpSchedulerMaker make_policy);

  SorterExpected expect(const SorterInputs& inputs) const;
  /// The rising edge, with `expected` from before it.
  void rise(const SorterInputs& inputs, const SorterExpected& expected);

  const SorterSize& size() const { return size_; }
  /// Slots with a warp.
  std::uint64_t warps() const { return warps_; }
  /// As the ports number them.
  const std::vector<Group>& groups() const { return groups_; }
  /// Of the warp in this slot.
  unsigned group_of(unsigned slot) const { return group_of_[slot]; }
  /// The last warp that issued, while it is there; else kNoWarp.
  unsigned greedy() const { return greedy_; }
  /// A warp has issued since the sorter was last empty.
  bool history() const { return history_; }
  const std::vector<unsigned>& order() const { return order_; }

 private:
  void reset();
  void sort();

  SorterSize size_;
  WarpSchedulerMaker make_policy_;
  std::unique_ptr<WarpScheduler> policy_;
  std::uint64_t warps_ = 0;
  std::vector<Group> groups_;
  std::vector<unsigned> group_of_;
  unsigned greedy_ = kNoWarp;
  bool history_ = false;
  std::vector<unsigned> order_;
};

}  // namespace gputlm
