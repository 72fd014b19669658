/// The SystemC module of the work distributor: kernels come in from the host, blocks go out to the SMs.
#pragma once

#include <memory>
#include <vector>

#include "models/work_distributor/core.h"
#include "tlm/port.h"

namespace gputlm {

class WorkDistributor final : public WindowedModule {
 public:
  WorkDistributor(const sc_core::sc_module_name& name, Femtoseconds window, const Clock& clock,
                  const WorkDistributorConfig& config, const SmConfig& sm, unsigned sms, BlockObserver& observer);

  tlm::tlm_target_socket<>& host_socket() { return host_port_.socket; }
  tlm::tlm_initiator_socket<>& sm_socket(unsigned sm) { return sm_ports_[sm]->socket; }
  const WorkDistributorCore& core() const { return core_; }

 private:
  Femtoseconds advance(Femtoseconds until) override;

  Clock clock_;
  PayloadPool<BlockLaunch> blocks_;
  WorkDistributorCore core_;
  TargetPort<KernelLaunch> host_port_;
  std::vector<std::unique_ptr<InitiatorPort<BlockLaunch>>> sm_ports_;
};

}  // namespace gputlm
