#include "models/dram/controller.h"

#include <string>

namespace gputlm {

DramController::DramController(const sc_core::sc_module_name& module_name, const Link& link, const DramConfig& config,
                               unsigned initiators, const ServedMemory& memory)
    : Unit(module_name, Clock::from_mhz(config.command_mhz)),
      core_(config, initiators * channels_of_link(config), link.response.queue) {
  for (unsigned i = 0; i < initiators * channels_of_link(config); ++i) {
    ports.emplace_back("port_" + std::to_string(i), *this, link, core_.requests(i), core_.responses(i));
    ports.back().serve(memory);
  }
}

DramController::~DramController() = default;

std::vector<std::string> DramController::waiting() const {
  if (core_.in_flight() == 0) return {};
  return {std::string(name()) + ": " + std::to_string(core_.in_flight()) + " accesses in flight"};
}

}  // namespace gputlm
