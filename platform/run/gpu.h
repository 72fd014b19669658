/// The whole GPU: units made from one configuration and bound by TLM-2.0 sockets.
///
///   host -> work distributor -> SM -> GPC port -> crossbar -> L2 slice -> DRAM controller
#pragma once

#include <optional>
#include <vector>

#include "models/config.h"
#include "models/host/host.h"
#include "models/host/mailbox.h"
#include "models/memory_map/memory_map.h"
#include "models/noc/memory_port.h"
#include "models/sm/blocks/durations.h"
#include "models/work_distributor/work_distributor.h"
#include "platform/run/result.h"
#include "tlm/assembly.h"
#include "tlm/backing_store.h"

namespace gputlm {

class CopyEngines;  // models/copy_engine/copy_engine.h
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

  /// Where all kernels only spin, and blocks cannot be taken off the SMs. Copies take times that they have learnt
  /// (models/copy_engine/core.h). The work distributor and the SMs are spared the blocks whose ends are known when they are
  /// sent (models/kernel/foresight.h), which changes no result, where nobody would see them: no checker, no probe of what
  /// happens on SMs, none that samples. To be called when all that observes has been attached, before the run.
  void make_use_of_spins(const Workload& workload);

  Assembly& assembly() { return assembly_; }
  Host& host() { return *parts_.host; }                      ///< of a GPU that plays a workload
  Mailbox& mailbox() { return *parts_.mailbox; }             ///< of one in somebody else's platform
  MemoryPort& memory_port() { return *parts_.memory_port; }  ///< likewise, where it has been asked for
  WorkDistributor& work_distributor() { return *parts_.work_distributor; }
  /// Statistics of all units as of core cycle `now`.
  void collect(RunResult& result, Cycle now);

 private:
  class Builder;
  /// Units that somebody asks for by name.
  struct Parts {
    Host* host = nullptr;
    Mailbox* mailbox = nullptr;
    MemoryPort* memory_port = nullptr;
    CopyEngines* copy_engines = nullptr;
    WorkDistributor* work_distributor = nullptr;
    std::vector<Sm*> sms = {};
  };

  Clock clock_;
  MemoryMap memory_map_;
  std::optional<BlockDurations> durations_;  ///< where the SM model needs them
  std::optional<BackingStore> store_;
  Assembly assembly_;
  Parts parts_;
};

}  // namespace gputlm
