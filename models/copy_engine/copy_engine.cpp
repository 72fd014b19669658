#include "models/copy_engine/copy_engine.h"

namespace gputlm {
namespace {

CopyEngineCore::Surroundings around(const CopyEngines::Links& links, const NetworkInterface& network) {
  CopyEngineCore::Surroundings all{links.copies.request.queue, network, links.crossbar.request.width, std::nullopt};
  if (links.host) all.host_queue = links.host->request.queue;
  return all;
}

}  // namespace

CopyEngines::CopyEngines(const sc_core::sc_module_name& module_name, const Clock& core_clock, const Links& links,
                         const CopyEngineConfig& config, const NetworkInterface& network)
    : Unit(module_name, core_clock), core_(config, around(links, network), pool_),
      copies("copies", *this, links.copies, core_.copies(), core_.completions()),
      crossbar("crossbar", *this, links.crossbar, core_.device_requests(), core_.device_replies()) {
  if (links.host) host.emplace("host", *this, *links.host, core_.host_requests(), core_.host_replies());
}

}  // namespace gputlm
