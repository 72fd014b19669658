/// DRAM controller of one channel as a SystemC module: a target socket for each L2 slice of the channel, or for any
/// other initiator of the base protocol. Addresses are channel-local.
#pragma once

#include <memory>
#include <vector>

#include "models/dram/controller_core.h"
#include "tlm/port.h"

namespace gputlm {

class DramController final : public WindowedModule {
 public:
  /// `core_clock`: of the L2 slices, in whose cycles the hop is counted. `slices`: how many share the channel.
  /// `response_queue`: slots of a slice's queue for responses. A foreign initiator (Peer::kForeign) has no such queue:
  /// it gets one response at a time.
  /// Throws InputError for a configuration that cannot be (DramControllerCore).
  DramController(const sc_core::sc_module_name& name, Femtoseconds window, const Clock& core_clock,
                 const DramConfig& config, unsigned slices, unsigned response_queue, Peer peer = Peer::kCredited);

  tlm::tlm_target_socket<>& socket(unsigned slice) { return ports_[slice]->socket; }
  DramControllerCore& core() { return core_; }
  const DramControllerCore& core() const { return core_; }
  const Clock& clock() const { return clock_; }
  /// What the channel counted up to `end` (DramControllerCore::statistics()), a time that has been simulated.
  DramStatistics statistics(Femtoseconds end) { return core_.statistics(clock_.at_or_after(end)); }

 private:
  Femtoseconds advance(Femtoseconds until) override;

  Clock clock_;  ///< command clock
  DramControllerCore core_;
  std::vector<std::unique_ptr<TargetPort<Access>>> ports_;
};

}  // namespace gputlm
