/// Surroundings for a work distributor, without SystemC: a host that sends a list of kernels as room in flight allows,
/// and SMs on which a block runs for a given time. Their actions are a function of the cycles at which the work
/// distributor acted, at least `hop` cycles later, and thus do not depend on how time is cut into calls of advance().
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "models/work_distributor/core.h"
#include "tests/unit/sm/plain_items.h"

namespace gputlm::test {

/// A kernel with only a shape.
class ShapeKernel final : public Kernel {
 public:
  ShapeKernel(std::uint32_t blocks, std::uint32_t threads, std::uint32_t registers = 0, Bytes shared = 0) {
    name = "shape";
    grid = {blocks};
    block = {threads};
    registers_per_thread = registers;
    shared_memory = shared;
  }
  std::unique_ptr<BlockCode> code(std::uint64_t index) override {
    asked.push_back(index);
    return nullptr;
  }
  void rewind() override { ++rewound; }
  std::vector<std::uint64_t> asked;
  unsigned rewound = 0;
};

struct Dispatch {
  Cycle at;
  KernelId kernel;
  std::uint32_t block;
  SmId sm;
  auto key() const { return std::tie(at, kernel, block, sm); }
  bool operator==(const Dispatch& other) const { return key() == other.key(); }
};

struct KernelEnd {
  Cycle at;  ///< cycle in which the work distributor reported it
  KernelId kernel;
  Cycle arrived, first_block, end;
  std::uint64_t blocks;
  auto key() const { return std::tie(at, kernel, arrived, first_block, end, blocks); }
  bool operator==(const KernelEnd& other) const { return key() == other.key(); }
};

class DistributorHarness final {
 public:
  static constexpr Cycle kHop = 20;
  using Duration = std::function<Cycle(KernelId, std::uint32_t block, SmId)>;

  DistributorHarness(const WorkDistributorConfig& config, const SmLimits& sm, unsigned sms, Duration duration,
                     const Applications& applications = {}, const std::vector<unsigned>& sms_of_gpcs = {})
      : config_(config), sm_config_(sm),
        core(config_, sm_config_, sms, blocks_, switches_, applications, 0, sms_of_gpcs), sms_(sms),
        duration_(std::move(duration)), room_in_flight_(config.kernels_in_flight), running_(sms), launch_credits_(sms),
        last_completion_(sms, 0) {
    core.blocks_ended.watch([this](const BlockEnded& block) {
      heard.push_back({block.end, block.identity.kernel, block.identity.block, block.identity.sm});
      if (block.prediction) predictions.push_back(*block.prediction);
    });
    core.kernels_executed.watch(
        [this](const KernelExecuted& kernel) { active[kernel.identity.kernel] = kernel.active; });
    core.slices().watch([this](const SliceEnded& slice) { slices.push_back(slice); });
  }

  void launch(Kernel& kernel, Cycle at = 0, const SmSet& sms = SmSet().set(),
              std::optional<Cycle> alone_cycles = std::nullopt, int priority = 0,
              CacheConfig cache_config = CacheConfig::kAny) {
    KernelLaunch& launch = *launches_.emplace_back(std::make_unique<KernelLaunch>());
    launch.identity.kernel = static_cast<KernelId>(launches_.size() - 1);
    launch.kernel = &kernel;
    launch.sms = sms;
    launch.alone_cycles = alone_cycles;
    launch.priority = priority;
    launch.cache_config = cache_config;
    wanted_.push_back({at, &launch});
  }
  /// Launches a kernel of an application; applications are numbered from 0.
  void launch_of(ApplicationId application, Kernel& kernel, Cycle at = 0, const SmSet& sms = SmSet().set(),
                 int priority = 0) {
    launch(kernel, at, sms, std::nullopt, priority);
    launches_.back()->identity.application = application;
  }
  /// The time after its start, before its end, at which a block lets kernels begin that depend on its own; none: it does not.
  using LetsGo = std::function<std::optional<Cycle>(KernelId, std::uint32_t block)>;
  /// Kernels may depend on others. To be called before the first launch.
  void allow_dependents(LetsGo lets_go) {
    lets_go_ = std::move(lets_go);
    constexpr Link kLink{kHop, {1, 1, 64}, {1, 1, 64}};
    core.allow_signals(signals_, kLink);
  }
  /// The last kernel depends on this one.
  void last_is_after(KernelId before) { launches_.back()->after = before; }
  /// The last kernel is of this application.
  void of_last(ApplicationId application) { launches_.back()->identity.application = application; }
  /// When the last kernel left its host, another one was pending behind it.
  void more_pending() { launches_.back()->more_pending = true; }
  /// The host says whether work is pending; calls are in the order of `at`.
  void say(ApplicationId application, bool pending, Cycle at) {
    PendingWork& word = words_.allocate();
    word.application = application;
    word.pending = pending;
    said_.emplace_back(at, &word);
  }
  bool run(const std::function<Cycle()>& window, Cycle limit = 1000000) {
    for (Cycle now = 0; now < limit;) {
      const Cycle until = now + window();
      deliver(until);
      core.advance(until);
      collect();
      now = until;
      if (ended.size() == launches_.size()) return true;
    }
    return false;
  }
  bool run(Cycle limit = 1000000) {
    return run([] { return kHop; }, limit);
  }
  std::size_t blocks_in_use() const { return blocks_.in_use(); }

 private:
  WorkDistributorConfig config_;  // the core refers to its configuration
  SmLimits sm_config_;
  PlainItems<BlockLaunch> blocks_;
  PlainItems<ContextSwitch> switches_;
  PlainItems<PendingWork> words_;
  PlainItems<GridSignal> signals_;
  std::deque<std::pair<Cycle, PendingWork*>> said_;

 public:
  WorkDistributorCore core;
  std::map<std::pair<KernelId, unsigned>, unsigned> first_visits;  ///< blocks marked as the first of a kernel on an SM
  std::map<std::pair<KernelId, unsigned>, std::optional<Bytes>> carveouts;  ///< that of a kernel's last block on an SM
  std::vector<Dispatch> dispatched;
  std::vector<KernelEnd> ended;
  std::vector<Dispatch> heard;          ///< ended blocks in the order in which they were heard of; `at` is their end
  std::vector<Prediction> predictions;  ///< in the order in which they were made
  std::vector<SliceEnded> slices;
  std::map<std::pair<KernelId, std::uint32_t>, bool> waits_for_grid;  ///< what each block was told when it was sent
  std::vector<Dispatch> told_of_end;  ///< SMs that have heard of the end of what a kernel depends on; `block` is 0
  static constexpr Cycle kHangs = Cycle{1} << 39;  ///< a block that takes longer never ends
  static constexpr Cycle kSwitch = 30;             ///< time that an SM takes to take blocks off, or to bring them back
  static constexpr Bytes kState = 1024;            ///< bytes of state of a block
  std::map<KernelId, std::vector<Cycle>> active;   ///< Active_Kernel_Cycles by SM, of kernels that have ended

 private:
  struct WantedKernel {
    Cycle at;
    KernelLaunch* launch;
  };

  void deliver(Cycle until) {
    for (; !host_credits_.empty() && host_credits_.front() < until; host_credits_.pop_front())
      core.completions().credit(host_credits_.front(), 1);
    for (unsigned sm = 0; sm < sms_; ++sm) {
      auto& credits = launch_credits_[sm];
      for (; !credits.empty() && credits.front() < until; credits.pop_front())
        core.block_launches(sm).credit(credits.front(), 1);
      if (core.preempts()) deliver_switched(sm, until);
      if (lets_go_) deliver_signals(sm, until);
      auto& running = running_[sm];
      while (!running.empty()) {
        const Cycle at = std::max(running.begin()->first.first + kHop, last_completion_[sm] + 1);
        if (at >= until) break;
        last_completion_[sm] = at;
        core.block_completions(sm).push(at, *running.begin()->second);
        running.erase(running.begin());
      }
    }
    for (; !said_.empty() && said_.front().first < until; said_.pop_front())
      core.pending_work().push(said_.front().first, *said_.front().second);
    while (!wanted_.empty()) {
      if (room_in_flight_ == 0) {
        if (room_.empty() || room_.front() >= until) break;
        room_since_ = room_.front();
        room_.pop_front();
        ++room_in_flight_;
      }
      const Cycle at = std::max({wanted_.front().at, next_launch_, room_since_});
      if (at >= until) break;
      --room_in_flight_;
      next_launch_ = at + 1;
      core.launches().push(at, *wanted_.front().launch);
      wanted_.pop_front();
    }
  }

  void deliver_signals(unsigned sm, Cycle until) {
    for (auto& going = going_[sm]; !going.empty() && going.begin()->first < until; going.erase(going.begin())) {
      GridSignal& signal = signals_.allocate();
      signal.kernel = going.begin()->second;
      core.blocks_let_go(sm).push(going.begin()->first, signal);
    }
  }
  void collect_signals(unsigned sm) {
    core.blocks_let_go(sm).freed_slots().clear();
    for (const auto& departure : core.blocks_let_go_heard(sm).departures()) {
      core.blocks_let_go_heard(sm).credit(departure.slot + 2 * kHop, 1);
      signals_.release(*departure.item);
    }
    core.blocks_let_go_heard(sm).departures().clear();
    for (const auto& departure : core.grids_ended(sm).departures()) {
      told_of_end.push_back({departure.slot, departure.item->kernel, 0, static_cast<SmId>(sm)});
      core.grids_ended(sm).credit(departure.slot + 2 * kHop, 1);
      core.grids_ended_heard(sm).push(departure.slot + 2 * kHop, *departure.item);
    }
    core.grids_ended(sm).departures().clear();
    core.grids_ended_heard(sm).freed_slots().clear();
  }
  void deliver_switched(unsigned sm, Cycle until) {
    auto& done = switched_[sm];
    for (; !done.empty() && done.front().at < until; done.pop_front()) {
      core.switches(sm).credit(done.front().at, 1);
      core.switched(sm).push(done.front().at, *done.front().command);
    }
  }
  /// Takes blocks off that are still running; what is left of them goes on when they are back.
  void switch_blocks(unsigned sm, ContextSwitch& command, Cycle at) {
    auto& running = running_[sm];
    auto& off = off_[{sm, command.application}];
    const Cycle done = at + kSwitch;
    if (command.brings_back) {
      for (const auto& [block, stopped] : off) {
        block->end += done - stopped;
        block->preempted += done - stopped;
        running.emplace(key_of(*block), block);
        ++command.blocks;
      }
      off.clear();
    } else {
      command.stuck = true;
      for (auto block = running.begin(); block != running.end();) {
        if (block->second->end <= at) {
          ++block;
          continue;
        }
        EXPECT_EQ(block->second->identity.application, command.application);
        off.emplace_back(block->second, at);
        command.stuck = command.stuck && block->second->end > kHangs;
        ++command.blocks;
        block = running.erase(block);
      }
    }
    command.bytes = command.blocks * kState;
    switched_[sm].push_back({done + kHop, &command});
  }
  static std::pair<Cycle, std::uint64_t> key_of(const BlockLaunch& block) {
    return {block.end, block.identity.block + (std::uint64_t{block.identity.kernel} << 32)};
  }

  void collect() {
    core.blocks_ended.flush();
    core.kernels_executed.flush();
    core.slices().flush();
    for (const Cycle at : core.launches().freed_slots()) room_.push_back(at + 2 * kHop);
    core.launches().freed_slots().clear();
    core.pending_work().freed_slots().clear();
    for (const auto& departure : core.pending_work_heard().departures())
      core.pending_work_heard().credit(departure.slot + 2 * kHop, 1);
    core.pending_work_heard().departures().clear();
    for (unsigned sm = 0; sm < sms_; ++sm) {
      core.block_completions(sm).freed_slots().clear();
      for (const auto& departure : core.block_launches(sm).departures()) {
        BlockLaunch& block = *departure.item;
        dispatched.push_back({departure.slot, block.identity.kernel, block.identity.block, static_cast<SmId>(sm)});
        carveouts[{block.identity.kernel, sm}] = block.carveout;
        if (block.first_on_sm) ++first_visits[{block.identity.kernel, sm}];
        block.start = departure.slot + kHop;
        block.end = block.start + duration_(block.identity.kernel, block.identity.block, block.identity.sm);
        block.counters.instructions = 1;
        waits_for_grid[{block.identity.kernel, block.identity.block}] = block.waits_for_grid;
        if (const auto goes = lets_go_ ? lets_go_(block.identity.kernel, block.identity.block) : std::nullopt) {
          block.let_go = true;
          going_[sm].emplace(block.start + *goes + kHop, block.identity.kernel);
        }
        launch_credits_[sm].push_back(block.start + kHop);
        running_[sm].emplace(key_of(block), &block);
      }
      core.block_launches(sm).departures().clear();
      if (lets_go_) collect_signals(sm);
      if (!core.preempts()) continue;
      core.switched(sm).freed_slots().clear();
      for (const auto& departure : core.switches(sm).departures())
        switch_blocks(sm, *departure.item, departure.slot + kHop);
      core.switches(sm).departures().clear();
    }
    // Blocks of a kernel that are sent in one cycle keep their order.
    std::sort(dispatched.begin(), dispatched.end(), [](const Dispatch& a, const Dispatch& b) {
      return std::tie(a.at, a.kernel, a.block) < std::tie(b.at, b.kernel, b.block);
    });
    for (const auto& departure : core.completions().departures()) {
      const KernelLaunch& k = *departure.item;
      ended.push_back({departure.slot, k.identity.kernel, k.arrived, k.first_block, k.end, k.counters.instructions});
      host_credits_.push_back(departure.slot + 2 * kHop);
    }
    core.completions().departures().clear();
  }

  unsigned sms_;
  Duration duration_;
  std::vector<std::unique_ptr<KernelLaunch>> launches_;
  std::deque<WantedKernel> wanted_;
  LetsGo lets_go_;
  std::map<unsigned, std::multimap<Cycle, KernelId>> going_;  ///< signals on their way to the work distributor, by SM
  unsigned room_in_flight_;
  std::deque<Cycle> room_, host_credits_;
  Cycle room_since_ = 0, next_launch_ = 0;
  std::vector<std::map<std::pair<Cycle, std::uint64_t>, BlockLaunch*>> running_;
  struct Switched {
    Cycle at;
    ContextSwitch* command;
  };
  std::map<unsigned, std::deque<Switched>> switched_;  ///< switches on their way back, by SM
  std::map<std::pair<unsigned, ApplicationId>, std::vector<std::pair<BlockLaunch*, Cycle>>> off_;
  std::vector<std::deque<Cycle>> launch_credits_;
  std::vector<Cycle> last_completion_;
};

inline constexpr Cycle kHop = DistributorHarness::kHop;

/// Room for four blocks on an SM.
inline SmLimits four_blocks() {
  SmLimits sm;
  sm.blocks = 4;
  return sm;
}

/// Duration of each block.
inline Cycle hundred(KernelId, std::uint32_t, SmId) { return 100; }
inline Cycle thousand(KernelId, std::uint32_t, SmId) { return 1000; }

}  // namespace gputlm::test
