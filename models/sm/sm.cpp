#include "models/sm/sm.h"

namespace gputlm {

Sm::Sm(const sc_core::sc_module_name& module_name, const Clock& core_clock, const Links& links, const SmConfig& config,
       SmId id, const NetworkInterface& network)
    : Unit(module_name, core_clock), core_(config, id, core_clock, network, pool_),
      launches("launches", *this, links.launches, core_.launches(), core_.completions()),
      memory("memory", *this, links.memory, core_.requests(), core_.replies()) {}

}  // namespace gputlm
