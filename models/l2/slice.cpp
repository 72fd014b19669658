#include "models/l2/slice.h"

namespace gputlm {
namespace {

L2SliceLinks core_links(const L2Slice::Links& links) {
  L2SliceLinks core;
  core.reply_flits = links.flits;
  core.reply_width = links.crossbar.response.width;
  core.reply_credits = links.crossbar.response.queue;
  core.memory_width = links.memory.request.width;
  core.memory_credits = links.memory.request.queue;
  core.memory_reply_queue = links.memory.response.queue;
  core.memory_channels = links.memory_channels;
  return core;
}

/// The first one has the plain name.
std::string port_name(const char* name, unsigned channel) {
  return channel == 0 ? name : name + ("_" + std::to_string(channel));
}

}  // namespace

L2Slice::L2Slice(const sc_core::sc_module_name& module_name, const Clock& core_clock, const Links& links,
                 const L2Config& config, unsigned slice, const MemoryMap& map, const Regulation& regulation,
                 const std::vector<WaySet>& ways, const SetAsideSetup& set_aside)
    : Unit(module_name, core_clock), slice_(slice), map_(map),
      core_(config, core_links(links), slice, map, pool_, ways, set_aside) {
  std::vector<Receiver<Access>*> requests;
  for (unsigned i = 0; i < core_.channels(); ++i) requests.push_back(&core_.requests(i));
  if (regulation.is_given()) {
    RegulatedPlace& place = regulated_.add(regulation, slice, requests);
    for (unsigned i = 0; i < core_.channels(); ++i) requests[i] = &place.input(i);
  }
  for (unsigned i = 0; i < core_.channels(); ++i) {
    crossbar.emplace_back(port_name("crossbar", i), *this, links.crossbar, *requests[i], core_.replies(i));
  }
  for (unsigned i = 0; i < core_.memory_channels(); ++i) {
    memory.emplace_back(port_name("memory", i), *this, links.memory, core_.memory_requests(i), core_.memory_replies(i));
  }
  serve({});
}

L2Slice::~L2Slice() = default;

void L2Slice::serve(ServedMemory served) {
  served.holds = [this](Address address) { return map_.slice(address) == slice_; };
  for (TargetPort<Access>& port : crossbar) port.serve(served);
}

std::vector<std::string> L2Slice::waiting() const {
  std::vector<std::string> lines;
  if (core_.fills_outstanding() > 0)
    lines.push_back(std::string(name()) + ": " + std::to_string(core_.fills_outstanding()) + " fills outstanding");
  regulated_.tell_waiting(name(), lines);
  return lines;
}

}  // namespace gputlm
