/// GPC port: the SMs of a Graphics Processing Cluster share one link to the crossbar and one back
/// (cuda-hierarchy, section V-B: contention inside a GPC).
#pragma once

#include <memory>
#include <vector>

#include "models/noc/config.h"
#include "models/noc/switch_core.h"
#include "tlm/port.h"

namespace gputlm {

class GpcPort final : public WindowedModule {
 public:
  /// `first_sm`: id of the first of `sms` SMs. `clock`: core clock.
  GpcPort(const sc_core::sc_module_name& name, Femtoseconds window, const Clock& clock, const NocConfig& config,
          unsigned first_sm, unsigned sms);

  tlm::tlm_target_socket<>& sm_socket(unsigned i) { return sm_ports_[i]->socket; }
  tlm::tlm_initiator_socket<>& crossbar_socket() { return crossbar_port_.socket; }
  const SwitchCore& requests() const { return requests_; }
  const SwitchCore& replies() const { return replies_; }

 private:
  Femtoseconds advance(Femtoseconds until) override;

  Clock clock_;
  SwitchCore requests_;  ///< SMs -> crossbar
  SwitchCore replies_;   ///< crossbar -> SMs
  std::vector<std::unique_ptr<TargetPort<Access>>> sm_ports_;
  InitiatorPort<Access> crossbar_port_;
};

}  // namespace gputlm
