/// The whole GPU: units made from one configuration and bound by TLM-2.0 sockets.
///
///   host -> work distributor -> SM -> GPC port -> crossbar -> L2 slice -> DRAM controller
///
/// A GPU that is divided into instances (instances.h) has all of these for each of them but the host.
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

/// A GPU that is a part of somebody else's platform, which drives it through a mailbox in the place of a workload's host,
/// and may have a port into its memory.
struct GpuInterface {
  std::vector<ApplicationSpec> applications = {{"application"}};
  std::vector<ManagedAllocation> managed = {};  ///< memory that migrates between the host and the GPU
  MailboxSetup mailbox = {};
  std::optional<MemoryPortConfig> memory_port = std::nullopt;
  Bytes memory_bytes = Bytes{16} << 30;  ///< addresses of the memory port are below it
  bool data = false;                     ///< the memory port has a backing store
};

class Gpu {
 public:
  /// `window`: look-ahead in core cycles, 0 for the longest that the hops allow. `check_protocol` puts a checker between
  /// any two sockets. `durations`: for an SM model that needs them, in the place of the file of sm.durations. What is given
  /// by reference must outlive the GPU. Throws InputError for a configuration that cannot be, for a longer window, and for
  /// kernels without durations where they are needed.
  Gpu(const GpuConfig& config, const Workload& workload, unsigned window, bool check_protocol,
      const DurationTable* durations = nullptr);
  /// A GPU in somebody else's platform. Throws InputError for kernels, streams or applications that the GPU cannot run.
  Gpu(const GpuConfig& config, const GpuInterface& interface, bool check_protocol);

  /// Where all kernels only spin. Copies take times that they have learnt (models/copy_engine/core.h), as does taking blocks
  /// off the SMs (models/work_distributor/switch_pace.h). Where blocks are not taken off, the work distributor and the SMs
  /// are spared those whose ends are known when they are sent (models/kernel/foresight.h), which changes no result, where
  /// nobody would see them: no checker, no probe of what happens on SMs, none that samples. To be called when all that
  /// observes has been attached, before the run.
  void make_use_of_spins(const Workload& workload);

  Assembly& assembly() { return assembly_; }
  Host& host() { return *host_; }                      ///< of a GPU that plays a workload
  Mailbox& mailbox() { return *mailbox_; }             ///< of one in somebody else's platform
  MemoryPort& memory_port() { return *memory_port_; }  ///< likewise, where it has been asked for
  /// Of each instance; one, if there are none.
  std::vector<WorkDistributor*> work_distributors();
  /// Statistics of all units as of core cycle `now`.
  void collect(RunResult& result, Cycle now);

 private:
  class Builder;
  class PartBuilder;
  /// The GPU, or an instance of it.
  struct Part {
    const Instance& instance;
    PartShares shares;
    MemoryMap memory_map;
    std::optional<BlockDurations> durations;    ///< where the SM model needs them
    std::optional<ContentionSetup> contention;  ///< where kernels have demands
    // Units that somebody asks for by name:
    CopyEngines* copy_engines = nullptr;
    WorkDistributor* work_distributor = nullptr;
    std::vector<Sm*> sms = {};
    std::vector<L2Slice*> slices = {};
  };
  void add_parts(const GpuConfig& config, const Workload& workload, const DurationTable* durations);
  void make_use_of_spins(Part& part, const Workload& workload, bool copies_learn);
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
