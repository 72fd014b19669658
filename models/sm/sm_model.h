/// What an SM is to the rest of the GPU, however it is modelled: blocks come in and go out again, memory accesses leave,
/// blocks may be taken off and brought back. A model is one file that registers itself; `sm.model` chooses. Plain C++; the
/// SystemC module around it is models/sm/sm.h.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/kernel/foresight.h"
#include "models/kernel/launch.h"
#include "models/noc/network_interface.h"
#include "models/policy/policy.h"
#include "models/policy/tally.h"
#include "models/sm/blocks/contention_end.h"
#include "models/sm/cluster_port.h"
#include "models/sm/config.h"
#include "models/sm/decisions.h"
#include "models/sm/grid_signals.h"
#include "models/sm/load_store_unit.h"
#include "models/sm/sm_tlb.h"
#include "tlm/context_switch.h"
#include "tlm/link.h"
#include "tlm/report.h"
#include "tlm/tap.h"

namespace gputlm {

class BlockDurations;  // models/sm/blocks/durations.h

struct SmStatistics {
  std::uint64_t instructions = 0;
  std::uint64_t blocks = 0;
  Cycle active_cycles = 0;
  std::vector<std::uint64_t> issued;  ///< by sub-core
  LoadStoreStatistics load_store;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = SmStatistics;
    v.counter(&S::blocks, "blocks", "blocks", "that started");
    v.counter(&S::active_cycles, "active_cycles", "core cycles", "with at least one resident block");
    v.counter(&S::instructions, "instructions", "warp instructions", "issued");
    v.counters(&S::issued, "issued_by_sub_core", "warp instructions", "issued, by sub-core");
    v.part(&S::load_store, "load_store");
  }
};

/// The time for which blocks were on an SM; while they are taken off they are not.
struct OccupancyStatistics {
  std::uint64_t block_cycles = 0, warp_cycles = 0, thread_cycles = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = OccupancyStatistics;
    v.counter(&S::block_cycles, "block_cycles", "core cycles", "in which a block was resident, summed over blocks");
    v.counter(&S::warp_cycles, "warp_cycles", "core cycles", "likewise, summed over the blocks' warps");
    v.counter(&S::thread_cycles, "thread_cycles", "core cycles", "likewise, summed over the blocks' threads");
  }
};

/// What the blocks of an application did on an SM.
struct SmApplication {
  BlockCounters counters;
  OccupancyStatistics occupancy;
};

using SmApplications = ByApplication<SmApplication>;

/// A block that is on the SM or was: what it did, until cycle `end`.
void add_block(const BlockLaunch& launch, Cycle end, SmApplications& to);

/// A block has come to an SM, or has gone.
struct BlockOnSm {
  enum class Event : std::uint8_t {
    kStarted,
    kTakenOff,  ///< another application has its turn
    kBack,      ///< in the slot that it had
    kEnded,
  };
  Cycle at = 0;
  Identity identity;
  std::uint32_t command = 0, iteration = 0;  ///< of the kernel launch
  std::uint16_t slot = 0;                    ///< of the SM's places for blocks; the lowest that was free at the start
  Event event = Event::kStarted;

  /// Is there from now on; else it is not any more.
  bool comes() const { return event == Event::kStarted || event == Event::kBack; }
};

/// The same of a warp: `slot` is sub-core * slots of a sub-core + slot of the sub-core, `identity` has the warp.
struct WarpOnSm : BlockOnSm {};

class SmModel {
 public:
  SmModel() = default;
  SmModel(const SmModel&) = delete;
  SmModel& operator=(const SmModel&) = delete;
  virtual ~SmModel() = default;

  virtual Inbox<BlockLaunch>& launches() = 0;
  virtual Outbox<BlockLaunch>& completions() = 0;
  virtual Outbox<Access>& requests() = 0;
  virtual Inbox<Access>& replies() = 0;
  /// Null if there is none.
  virtual SmTlb* tlb() = 0;

  /// Blocks may be taken off this SM, and brought back.
  virtual void allow_preemption() = 0;
  // Only where that is allowed.
  virtual Inbox<ContextSwitch>& switches() = 0;
  virtual Outbox<ContextSwitch>& switched() = 0;

  /// Kernels may depend on each other: its ends of the links for what says so. Null if the model knows no such kernels.
  virtual GridSignals* allow_signals(ItemSource<GridSignal>& /*source*/, const Link& /*link*/) { return nullptr; }

  /// Some kernels have a demand: its ends of the links to what knows how they share the GPU. Null if the model knows none.
  virtual ContentionEnd* allow_contention(ItemSource<BlockCount>& /*source*/, const Link& /*link*/) { return nullptr; }
  /// What their blocks have lost; empty where there are none.
  virtual ByApplication<LostTime> lost() const { return {}; }

  /// Kernels may wait for what others of their cluster, or TMA, bring (Kernel::is_asynchronous()). `link`: to the network
  /// between SMs, where there are clusters; then its ends are returned. Null without, and if the model knows no such
  /// kernels.
  virtual ClusterPort* allow_asynchronous(ItemSource<ClusterPacket>& /*packets*/,
                                          const ClusterNetworkConfig& /*config*/, const std::optional<Link>& /*link*/) {
    return nullptr;
  }

  /// Of what becomes of blocks that only spin; null if it has none. Where it is told of blocks, none are sent.
  virtual SmForesight* foresight() { return nullptr; }

  Tap<BlockOnSm> blocks;
  Tap<WarpOnSm> warps;                             ///< nothing passes it in a model that has none
  Tap<SorterEvent> sorters;                        ///< likewise; in order of each sub-core
  virtual unsigned slots_of_sub_core() const = 0;  ///< for warps

  /// Computes everything strictly before `until`; returns the next cycle with work, kNever if only an arrival makes
  /// some.
  virtual Cycle advance(Cycle until) = 0;

  /// As of cycle `now`, which has not been computed yet.
  virtual SmStatistics statistics(Cycle now) const = 0;
  /// Likewise, waits included that have not ended yet.
  virtual SmApplications applications(Cycle now) const = 0;
  /// What its policies have counted.
  virtual PolicyTally policies() const = 0;
  /// What is there and waits, one line each, for the report of a deadlock; empty if there is nothing.
  virtual std::vector<std::string> waiting() const = 0;
};

/// What a model is made for. What is given by reference must outlive it, but for the clock and the network.
struct SmModelSetup {
  const SmConfig& config;
  SmId id;
  const Clock& clock;
  const NetworkInterface& network;
  AccessSource& accesses;
  std::unique_ptr<SmTlb> tlb;       ///< null where addresses need no translation
  const BlockDurations* durations;  ///< of the run's kernels, for a model that needs them (Property::kNeedsDurations)
};

/// All models, by the name that `sm.model` has for them.
Decision<std::function<std::unique_ptr<SmModel>(SmModelSetup)>>& sm_models();
/// Whether blocks send what they read and write, on a model of this name: not where their memory is in their durations.
bool sends_accesses(const std::string& model);

}  // namespace gputlm
