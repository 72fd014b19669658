/// Crossbar between GPC ports and L2 slices: a request network and a separate reply network, so that replies never
/// wait for requests (which is what keeps the memory system free of deadlock).
#pragma once

#include <deque>

#include "models/noc/switch_core.h"
#include "tlm/port.h"

namespace gputlm {

class Crossbar final : public Unit {
 public:
  struct Links {
    Link gpc;    ///< to each
    Link slice;  ///< to each
  };
  Crossbar(const sc_core::sc_module_name& name, const Clock& clock, const Links& links, unsigned gpcs,
           unsigned sms_per_gpc, unsigned slices);

  const SwitchCore& requests() const { return requests_; }
  const SwitchCore& replies() const { return replies_; }
  std::vector<std::string> waiting() const override;

 private:
  Cycle compute(Cycle until) override { return std::min(requests_.advance(until), replies_.advance(until)); }

  SwitchCore requests_;
  SwitchCore replies_;

 public:
  std::deque<TargetPort<Access>> gpcs;
  std::deque<InitiatorPort<Access>> slices;
};

}  // namespace gputlm
