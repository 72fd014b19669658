#include "models/l2/slice.h"

namespace gputlm {

L2Slice::L2Slice(const sc_core::sc_module_name& module_name, Femtoseconds window, const L2Config& config,
                 const L2SliceLinks& links, const Timing& timing, unsigned slice, unsigned slices,
                 const AddressTranslation& translation, AccessSource& source)
    : WindowedModule(module_name, window), clock_(timing.crossbar.clock),
      core_(config, links, slice, slices, translation, source),
      crossbar("crossbar", *this, timing.crossbar, core_.requests, core_.replies),
      memory("memory", *this, timing.memory, core_.memory_requests, core_.memory_replies, true) {}

Femtoseconds L2Slice::advance(Femtoseconds until) { return clock_.edge(core_.advance(clock_.at_or_after(until))); }

}  // namespace gputlm
