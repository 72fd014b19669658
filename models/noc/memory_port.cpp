#include "models/noc/memory_port.h"

#include <string>

namespace gputlm {

MemoryPort::MemoryPort(const sc_core::sc_module_name& module_name, const Clock& core_clock,
                       const MemoryPortConfig& config, const NetworkInterface& network, const ServedMemory& memory)
    : Unit(module_name, core_clock), core_(config, network, pool_),
      port("port", *this, memory_port_link(core_clock, config), core_.accesses(), core_.answers()),
      crossbar("crossbar", *this, network.link, core_.requests(), core_.replies()) {
  port.serve(memory);
}

MemoryPort::~MemoryPort() = default;

std::vector<std::string> MemoryPort::waiting() const {
  if (core_.outstanding() == 0) return {};
  return {std::string(name()) + ": " + std::to_string(core_.outstanding()) + " accesses outstanding"};
}

}  // namespace gputlm
