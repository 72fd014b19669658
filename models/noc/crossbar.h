/// Crossbar between GPC ports and L2 slices: a request network and a separate reply network, so that replies never
/// wait for requests (which is what keeps the memory system free of deadlock).
#pragma once

#include <memory>
#include <vector>

#include "models/noc/config.h"
#include "models/noc/switch_core.h"
#include "tlm/port.h"

namespace gputlm {

class Crossbar final : public WindowedModule {
 public:
  /// `slice_queue`: packets the input of an L2 slice holds.
  Crossbar(const sc_core::sc_module_name& name, Femtoseconds window, const Clock& clock, const NocConfig& config,
           unsigned gpcs, unsigned sms_per_gpc, unsigned slices, unsigned slice_queue);

  tlm::tlm_target_socket<>& gpc_socket(unsigned i) { return gpc_ports_[i]->socket; }
  tlm::tlm_initiator_socket<>& slice_socket(unsigned i) { return slice_ports_[i]->socket; }
  const SwitchCore& requests() const { return requests_; }
  const SwitchCore& replies() const { return replies_; }

 private:
  Femtoseconds advance(Femtoseconds until) override;

  Clock clock_;
  SwitchCore requests_;
  SwitchCore replies_;
  std::vector<std::unique_ptr<TargetPort<Access>>> gpc_ports_;
  std::vector<std::unique_ptr<InitiatorPort<Access>>> slice_ports_;
};

}  // namespace gputlm
