/// The SystemC module of the link between GPU and host.
#pragma once

#include <deque>

#include "models/host_link/core.h"
#include "tlm/port.h"
#include "tlm/report.h"

namespace gputlm {

class HostLink final : public Unit {
 public:
  struct Links {
    Link device;  ///< link to the copy engines of each GPU
    Link host;    ///< link to the host's memory
  };
  HostLink(const sc_core::sc_module_name& module_name, const Clock& core_clock, const Links& links,
           const HostLinkConfig& config, unsigned devices = 1);
  ~HostLink() override;

  void report(Report& all, Cycle) override { all.add(core_.statistics()); }

 private:
  Cycle compute(Cycle until) override { return core_.advance(until); }

  HostLinkCore core_;

 public:
  std::deque<TargetPort<Access>> devices;
  InitiatorPort<Access> host;
};

}  // namespace gputlm
