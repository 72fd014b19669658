/// The SystemC module of the host.
#pragma once

#include "models/host/core.h"
#include "tlm/port.h"

namespace gputlm {

class Host final : public WindowedModule {
 public:
  /// `link`: of the connection to the work distributor.
  Host(const sc_core::sc_module_name& name, Femtoseconds window, const LinkTiming& link, const Workload& workload,
       unsigned kernels_in_flight, KernelObserver& observer);

  tlm::tlm_initiator_socket<>& socket() { return port_.socket; }
  const HostCore& core() const { return core_; }

 private:
  void start_of_simulation() override { wake(0); }
  Femtoseconds advance(Femtoseconds until) override;

  Clock clock_;
  PayloadPool<KernelLaunch> launches_;
  HostCore core_;
  InitiatorPort<KernelLaunch> port_;
};

}  // namespace gputlm
