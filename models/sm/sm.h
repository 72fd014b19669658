/// The SystemC module of a streaming multiprocessor: blocks come in on one socket, memory accesses leave on another.
#pragma once

#include "models/sm/sm_core.h"
#include "models/work_distributor/config.h"
#include "tlm/port.h"

namespace gputlm {

class Sm final : public WindowedModule {
 public:
  Sm(const sc_core::sc_module_name& name, Femtoseconds window, const Clock& clock, const SmConfig& config,
     const NocConfig& noc, const WorkDistributorConfig& work_distributor, SmId id, const SliceRouting& routing,
     AccessSource& accesses);

  tlm::tlm_target_socket<>& launch_socket() { return launch_port_.socket; }
  tlm::tlm_initiator_socket<>& memory_socket() { return memory_port_.socket; }
  const SmCore& core() const { return core_; }

 private:
  Femtoseconds advance(Femtoseconds until) override;

  Clock clock_;
  SmCore core_;
  TargetPort<BlockLaunch> launch_port_;
  InitiatorPort<Access> memory_port_;
};

}  // namespace gputlm
