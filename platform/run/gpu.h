/// The whole GPU: units made from one configuration and bound by TLM-2.0 sockets.
///
///   host -> work distributor -> SM -> GPC port -> crossbar -> L2 slice -> DRAM controller
#pragma once

#include "models/config.h"
#include "models/copy_engine/copy_engine.h"
#include "models/host/host.h"
#include "models/memory_map/memory_map.h"
#include "models/mmu/mmu.h"
#include "models/noc/crossbar.h"
#include "models/work_distributor/work_distributor.h"
#include "platform/run/result.h"
#include "tlm/assembly.h"

namespace gputlm {

/// Somebody else in the place of the host: initiators, in the base protocol or by b_transport, whose payloads carry a
/// KernelLaunch or a Copy each (Carried, tlm/payload.h). Its response is the kernel's or the copy's completion, a hop
/// later; what came of it stands in the extension. A call arrives when it is made: the way to the GPU is the initiator's
/// to annotate.
struct ForeignHost {
  tlm::tlm_initiator_socket<>& launches;
  tlm::tlm_initiator_socket<>* copies = nullptr;  ///< null: there are none
};

class Gpu {
 public:
  /// `window`: look-ahead in core cycles, 0 for the longest that the hops allow. `check_protocol` puts a checker between
  /// any two sockets. What is given by reference must outlive the GPU. Throws InputError for a configuration that cannot
  /// be, and for a longer window.
  Gpu(const GpuConfig& config, const Workload& workload, unsigned window, bool check_protocol);
  /// A GPU without a host of its own. `workload` tells the applications and the managed allocations; nothing else of it
  /// is looked at.
  Gpu(const GpuConfig& config, const Workload& workload, const ForeignHost& host, bool check_protocol);

  Assembly& assembly() { return assembly_; }
  Host& host() { return *host_; }  ///< not of a GPU without one
  WorkDistributor& work_distributor() { return *work_distributor_; }
  /// Statistics of all units as of core cycle `now`.
  void collect(RunResult& result, Cycle now);

 private:
  Gpu(const GpuConfig& config, const Workload& workload, const ForeignHost* foreign, unsigned window,
      bool check_protocol);
  /// What sits at an input of the crossbar by itself.
  NetworkInterface network_interface(const GpuConfig& config, const Link& network, unsigned input) const;
  /// Their first client is the host, if it copies; the last one is the MMU, if pages migrate.
  CopyEngines& add_copy_engines(const GpuConfig& config, const Link& commands, const Link& network, bool host_copies,
                                bool pages_migrate);
  Mmu& add_mmu(const GpuConfig& config, const Mmu::Links& links, unsigned input, const Workload& workload);

  Clock clock_;
  MemoryMap memory_map_;
  Assembly assembly_;
  Host* host_ = nullptr;
  WorkDistributor* work_distributor_;
};

}  // namespace gputlm
