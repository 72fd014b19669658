/// The interface of an SM, however it is modelled: blocks arrive and complete, memory accesses leave, blocks may be
/// preempted and restored. A model is one file that registers itself; `sm.model` selects it. Plain C++; the SystemC module
/// around it is models/sm/sm.h.
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
  std::vector<std::uint64_t> issued;  ///< number of warp instructions issued by each sub-core
  LoadStoreStatistics load_store;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = SmStatistics;
    v.counter(&S::blocks, "blocks", "blocks", "Blocks that started");
    v.counter(&S::active_cycles, "active_cycles", "core cycles", "Time with at least one resident block");
    v.counter(&S::instructions, "instructions", "warp instructions", "Warp instructions issued");
    v.counters(&S::issued, "issued_by_sub_core", "warp instructions", "Warp instructions issued, by sub-core");
    v.part(&S::load_store, "load_store");
  }
};

/// The time for which blocks were on an SM, without preempted time.
struct OccupancyStatistics {
  std::uint64_t block_cycles = 0, warp_cycles = 0, thread_cycles = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = OccupancyStatistics;
    v.counter(&S::block_cycles, "block_cycles", "core cycles",
              "Time in which a block was resident, summed over the blocks");
    v.counter(&S::warp_cycles, "warp_cycles", "core cycles",
              "Time in which a block was resident, summed over the warps of the blocks");
    v.counter(&S::thread_cycles, "thread_cycles", "core cycles",
              "Time in which a block was resident, summed over the threads of the blocks");
  }
};

/// Statistics of an application's blocks on an SM.
struct SmApplication {
  BlockCounters counters;
  OccupancyStatistics occupancy;
};

using SmApplications = ByApplication<SmApplication>;

/// Adds the statistics of a resident or completed block, up to cycle `end`.
void add_block(const BlockLaunch& launch, Cycle end, SmApplications& to);

/// Event: a block has arrived on an SM, or has left it.
struct BlockOnSm {
  enum class Event : std::uint8_t {
    kStarted,
    kTakenOff,  ///< taken off, since another application has its turn
    kBack,      ///< back in the slot that it had
    kEnded,
  };
  Cycle at = 0;
  Identity identity;
  std::uint32_t command = 0, iteration = 0;  ///< as in KernelLaunch
  std::uint16_t slot = 0;                    ///< block slot of the SM; the lowest that was free at the start
  Event event = Event::kStarted;

  /// Whether the block is on the SM from now on; otherwise it has left.
  bool comes() const { return event == Event::kStarted || event == Event::kBack; }
};

/// The same for a warp: `slot` is sub-core * slots of a sub-core + slot in the sub-core; `identity` has the warp.
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
  /// The SM's TLB; null if there is none.
  virtual SmTlb* tlb() = 0;

  /// Allows preemption of blocks on this SM.
  virtual void allow_preemption() = 0;
  // Only if preemption is allowed.
  virtual Inbox<ContextSwitch>& switches() = 0;
  virtual Outbox<ContextSwitch>& switched() = 0;

  /// Allows kernels that depend on each other; returns the ends of the links for GridSignal. Null if the model does not
  /// support them.
  virtual GridSignals* allow_signals(ItemSource<GridSignal>& /*source*/, const Link& /*link*/) { return nullptr; }

  /// Allows kernels with a demand; returns the ends of the links to the contention unit. Null if the model does not support
  /// them.
  virtual ContentionEnd* allow_contention(ItemSource<BlockCount>& /*source*/, const Link& /*link*/) { return nullptr; }
  /// Time that the blocks of such kernels have lost; empty if there are none.
  virtual ByApplication<LostTime> lost() const { return {}; }

  /// Allows kernels that wait for other blocks of their cluster or for TMA (Kernel::is_asynchronous()). `link`: to the
  /// network between SMs, if there are clusters; returns its ends. Null without a link, and if the model does not support
  /// such kernels.
  virtual ClusterPort* allow_asynchronous(ItemSource<ClusterPacket>& /*packets*/,
                                          const ClusterNetworkConfig& /*config*/, const std::optional<Link>& /*link*/) {
    return nullptr;
  }

  /// Foresight of blocks that only spin; null if the model has none. Blocks announced to it are not sent.
  virtual SmForesight* foresight() { return nullptr; }

  Tap<BlockOnSm> blocks;
  Tap<WarpOnSm> warps;                             ///< no events in a model without warps
  Tap<SorterEvent> sorters;                        ///< no events without warps; in order within each sub-core
  virtual unsigned slots_of_sub_core() const = 0;  ///< warp slots of a sub-core

  /// Computes everything strictly before `until`; returns the next cycle with work, kNever if it depends on an arrival.
  virtual Cycle advance(Cycle until) = 0;

  /// Statistics at cycle `now`, which has not been computed yet.
  virtual SmStatistics statistics(Cycle now) const = 0;
  /// The same by application, including waits that have not ended yet.
  virtual SmApplications applications(Cycle now) const = 0;
  /// The counters of its policies.
  virtual PolicyTally policies() const = 0;
  /// What the SM holds that waits, one line each, for the report of a deadlock; empty if nothing waits.
  virtual std::vector<std::string> waiting() const = 0;
};

/// The parameters of a model. Arguments given by reference must outlive it, except the clock and the network.
struct SmModelSetup {
  const SmConfig& config;
  SmId id;
  const Clock& clock;
  const NetworkInterface& network;
  AccessSource& accesses;
  std::unique_ptr<SmTlb> tlb;       ///< null without address translation
  const BlockDurations* durations;  ///< durations of blocks, for a model that needs them (Property::kNeedsDurations)
};

/// All models, by the name used in `sm.model`.
Decision<std::function<std::unique_ptr<SmModel>(SmModelSetup)>>& sm_models();
/// Whether blocks send their accesses on the model of this name; not if their durations include memory.
bool sends_accesses(const std::string& model);

}  // namespace gputlm
