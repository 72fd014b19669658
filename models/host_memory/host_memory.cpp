#include "models/host_memory/host_memory.h"

namespace gputlm {

HostMemory::HostMemory(const sc_core::sc_module_name& module_name, const Clock& core_clock, const Link& link,
                       const HostMemoryConfig& config)
    : Unit(module_name, core_clock), core_(config, core_clock, link.request.queue),
      port("port", *this, link, core_.requests(), core_.responses()) {}

HostMemory::~HostMemory() = default;

}  // namespace gputlm
