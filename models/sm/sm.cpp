#include "models/sm/sm.h"

#include "models/noc/link_timing.h"
#include "models/work_distributor/link_timing.h"

namespace gputlm {

Sm::Sm(const sc_core::sc_module_name& name, Femtoseconds window, const Clock& clock, const SmConfig& config,
       const NocConfig& noc, const WorkDistributorConfig& work_distributor, SmId id, const SliceRouting& routing,
       AccessSource& accesses)
    : WindowedModule(name, window), clock_(clock), core_(config, noc, id, clock, routing, accesses),
      launch_port_("launch_socket", *this, launch_link(clock, work_distributor), core_.launches(), core_.completions()),
      memory_port_("memory_socket", *this, noc_link(clock, noc, 1, 1), core_.requests(), core_.replies(), true) {}

Femtoseconds Sm::advance(Femtoseconds until) { return clock_.edge(core_.advance(clock_.at_or_after(until))); }

}  // namespace gputlm
