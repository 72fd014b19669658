#include "models/host_link/host_link.h"

#include <string>

namespace gputlm {

HostLink::HostLink(const sc_core::sc_module_name& module_name, const Clock& core_clock, const Links& links,
                   const HostLinkConfig& config, unsigned count)
    : Unit(module_name, core_clock), core_(config, core_clock, count),
      host("host", *this, links.host, core_.requests_out(), core_.responses_in(), Passage::kThrough) {
  for (unsigned i = 0; i < count; ++i) {  // the first one has the plain name
    devices.emplace_back(i == 0 ? "device" : "device_" + std::to_string(i), *this, links.device, core_.requests_in(i),
                         core_.responses_out(i), Passage::kThrough);
  }
}

HostLink::~HostLink() = default;

}  // namespace gputlm
