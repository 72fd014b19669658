#include "models/sm/sm.h"

namespace gputlm {

Sm::Sm(const sc_core::sc_module_name& module_name, const Clock& core_clock, const Links& links, const SmConfig& config,
       const NocConfig& noc, SmId id, const MemoryMap& map)
    : Unit(module_name, core_clock), core_(config, noc, id, core_clock, map, pool_),
      launches("launches", *this, links.launches, core_.launches(), core_.completions()),
      memory("memory", *this, links.memory, core_.requests(), core_.replies()) {}

}  // namespace gputlm
