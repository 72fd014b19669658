#include "models/noc/gpc_port.h"

#include <string>

namespace gputlm {

GpcPort::GpcPort(const sc_core::sc_module_name& module_name, const Clock& core_clock, const Links& links,
                 unsigned first_port, unsigned first_sm, unsigned count, const Regulation& regulation)
    : Unit(module_name, core_clock), requests_(count, links.sm.request.queue, 1, links.crossbar.request.width,
                                               links.crossbar.request.queue, [](const Access&) { return 0u; }),
      replies_(1, links.crossbar.response.queue, count, links.sm.response.width, links.sm.response.queue,
               [first_port](const Access& access) { return access.source - first_port; }),
      crossbar("crossbar", *this, links.crossbar, requests_.output(0), replies_.input(0), Passage::kThrough) {
  for (unsigned i = 0; i < count; ++i) {
    Receiver<Access>* requests = &requests_.input(i);
    if (regulation.is_given()) requests = &regulated_.add(regulation, first_sm + i, {requests}).input(0);
    sms.emplace_back("sm_" + std::to_string(i), *this, links.sm, *requests, replies_.output(i), Passage::kThrough);
  }
}

GpcPort::~GpcPort() = default;

std::vector<std::string> GpcPort::waiting() const {
  auto lines = packets_waiting(name(), requests_, replies_);
  regulated_.tell_waiting(name(), lines);
  return lines;
}

}  // namespace gputlm
