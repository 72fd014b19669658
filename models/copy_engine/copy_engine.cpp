#include "models/copy_engine/copy_engine.h"

#include <string>

namespace gputlm {
namespace {

CopyEngineCore::Surroundings around(const CopyEngines::Links& links, const NetworkInterface& network, unsigned clients,
                                    const std::vector<CopyEngineCore::Surroundings::Sms>& sms, unsigned peers,
                                    ItemSource<LinkUse>& messages) {
  CopyEngineCore::Surroundings all{links.copies.request.queue, network, std::nullopt, clients, sms};
  if (links.host) all.host_queue = links.host->request.queue;
  if (peers > 0) all.peers.emplace(CopyEngineCore::Surroundings::Peers{peers, links.peers, messages});
  return all;
}

}  // namespace

CopyEngines::CopyEngines(const sc_core::sc_module_name& module_name, const Clock& core_clock, const Links& links,
                         const CopyEngineConfig& config, const NetworkInterface& network, unsigned clients,
                         const std::vector<CopyEngineCore::Surroundings::Sms>& sms_of_gpcs, unsigned peers)
    : Unit(module_name, core_clock),
      core_(config, around(links, network, clients, sms_of_gpcs, peers, messages_), pool_),
      crossbar("crossbar", *this, links.crossbar, core_.device_requests(), core_.device_replies()) {
  for (unsigned c = 0; c < clients; ++c) {
    copies.emplace_back("copies_" + std::to_string(c), *this, links.copies, core_.copies(c), core_.completions(c));
  }
  for (std::size_t g = 0; g < sms_of_gpcs.size(); ++g) {
    sms.emplace_back("sms_" + std::to_string(g), *this, sms_of_gpcs[g].network.link, core_.sm_requests(g),
                     core_.sm_replies(g));
  }
  if (links.host) host.emplace("host", *this, *links.host, core_.host_requests(), core_.host_replies());
  for (unsigned p = 0; p < peers; ++p) {
    tells.emplace_back("tells_" + std::to_string(p), *this, links.peers, core_.tells(p), core_.told(p));
    hears.emplace_back("hears_" + std::to_string(p), *this, links.peers, core_.hears(p), core_.heard(p));
  }
}

CopyEngines::~CopyEngines() = default;

}  // namespace gputlm
