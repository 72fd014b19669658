/// The whole GPU: units made from one configuration and bound by TLM-2.0 sockets.
///
///   host -> work distributor -> SM -> GPC port -> crossbar -> L2 slice -> DRAM controller
///
/// A GPU that is divided into instances (instances.h) has all of these once per instance, except the host.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "models/config.h"
#include "models/contention/core.h"
#include "models/host/host.h"
#include "models/host/mailbox.h"
#include "models/memory_map/memory_map.h"
#include "models/noc/memory_port.h"
#include "models/sm/blocks/durations.h"
#include "models/work_distributor/work_distributor.h"
#include "platform/run/result.h"
#include "platform/run/shares.h"
#include "tlm/assembly.h"
#include "tlm/backing_store.h"

namespace gputlm {

class CopyEngines;  // models/copy_engine/copy_engine.h
class L2Slice;      // models/l2/slice.h
class Sm;           // models/sm/sm.h

/// A GPU inside another platform: the platform drives it through a mailbox, which replaces the workload's host. A port into
/// its memory is optional.
struct GpuInterface {
  std::vector<ApplicationSpec> applications = {{"application"}};
  std::vector<ManagedAllocation> managed = {};  ///< memory that migrates between the host and the GPU
  MailboxSetup mailbox = {};
  std::optional<MemoryPortConfig> memory_port = std::nullopt;
  Bytes memory_bytes = Bytes{16} << 30;  ///< upper bound of the memory port's addresses
  bool data = false;                     ///< whether the memory port has a backing store
};

class Gpu {
 public:
  /// `window`: look-ahead in core cycles; 0: the longest that the hops allow. `check_protocol` inserts a checker between any
  /// two sockets. `durations` replaces the file of sm.durations for an SM model that needs one. Arguments passed by reference
  /// must outlive the GPU. Throws InputError for an inconsistent configuration, for a window that is too long, and for
  /// kernels that need durations and have none.
  Gpu(const GpuConfig& config, const Workload& workload, unsigned window, bool check_protocol,
      const DurationTable* durations = nullptr);
  /// A GPU inside another platform. Throws InputError for kernels, streams or applications that it cannot run.
  Gpu(const GpuConfig& config, const GpuInterface& interface, bool check_protocol);

  /// Call this if all kernels only spin, after everything that observes has been attached and before the run. Copies then
  /// take times that they have learnt (models/copy_engine/core.h), and so does the preemption of blocks
  /// (models/work_distributor/switch_pace.h). Without preemption, the work distributor and the SMs skip the blocks whose end
  /// is known when they are sent (models/kernel/foresight.h), unless a checker, a probe of SM events or a sampling probe
  /// would see them. No result changes.
  void make_use_of_spins(const Workload& workload);

  Assembly& assembly() { return assembly_; }
  Host& host() { return *host_; }                      ///< host of a GPU that plays a workload
  Mailbox& mailbox() { return *mailbox_; }             ///< mailbox of a GPU inside another platform
  MemoryPort& memory_port() { return *memory_port_; }  ///< port of a GPU inside another platform that asked for one
  /// One per instance, or one if the GPU is not divided.
  std::vector<WorkDistributor*> work_distributors();
  /// Collects the statistics of all units as of core cycle `now`.
  void collect(RunResult& result, Cycle now);

 private:
  class Builder;
  class PartBuilder;
  /// The whole GPU, or one instance of it.
  struct Part {
    const Instance& instance;
    PartShares shares;
    MemoryMap memory_map;
    std::optional<BlockDurations> durations;    ///< durations of blocks, if the SM model needs them
    std::optional<ContentionSetup> contention;  ///< setup of contention, if kernels have demands
    // Units that are accessed by name:
    CopyEngines* copy_engines = nullptr;
    WorkDistributor* work_distributor = nullptr;
    std::vector<Sm*> sms = {};
    std::vector<L2Slice*> slices = {};
  };
  void add_parts(const GpuConfig& config, const Workload& workload, const DurationTable* durations);
  void make_use_of_spins(Part& part, const Workload& workload);
  void pass_over_copies(Part& part);

  Clock clock_;
  const GpuParts division_;
  std::deque<Part> parts_;
  std::optional<BackingStore> store_;
  Assembly assembly_;
  Host* host_ = nullptr;
  Mailbox* mailbox_ = nullptr;
  MemoryPort* memory_port_ = nullptr;
};

}  // namespace gputlm
