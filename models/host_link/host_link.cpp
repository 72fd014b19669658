#include "models/host_link/host_link.h"

namespace gputlm {

HostLink::HostLink(const sc_core::sc_module_name& module_name, const Clock& core_clock, const Links& links,
                   const HostLinkConfig& config)
    : Unit(module_name, core_clock), core_(config, core_clock),
      device("device", *this, links.device, core_.requests_in(), core_.responses_out(), Passage::kThrough),
      host("host", *this, links.host, core_.requests_out(), core_.responses_in(), Passage::kThrough) {}

HostLink::~HostLink() = default;

}  // namespace gputlm
