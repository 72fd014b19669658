#include "models/host/host.h"

namespace gputlm {

Host::Host(const sc_core::sc_module_name& name, Femtoseconds window, const LinkTiming& link, const Workload& workload,
           unsigned kernels_in_flight, KernelObserver& observer)
    : WindowedModule(name, window), clock_(link.clock),
      core_(workload, link.clock, kernels_in_flight, launches_, observer),
      port_("socket", *this, link, core_.launches(), core_.completions(), true) {}

Femtoseconds Host::advance(Femtoseconds until) { return clock_.edge(core_.advance(clock_.at_or_after(until))); }

}  // namespace gputlm
