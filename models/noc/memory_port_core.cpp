#include "models/noc/memory_port_core.h"

#include <algorithm>

namespace gputlm {

MemoryPortCore::MemoryPortCore(const MemoryPortConfig& config, const NetworkInterface& network, AccessSource& accesses)
    : network_(network), source_(accesses), asked_(config.outstanding), accesses_(config.queue),
      answers_(1, config.queue), requests_(network.link.request.width, network.link.request.queue),
      replies_(network.link.response.queue) {
  for (unsigned slot = config.outstanding; slot > 0; --slot) free_.push_back(static_cast<std::uint16_t>(slot - 1));
}

Cycle MemoryPortCore::advance(Cycle until) {
  while (true) {
    const Cycle now = std::min(next_request(), next_answer());
    if (now >= until) return now;
    if (next_answer() <= now) answer(now);  // frees a slot
    if (next_request() <= now) request(now);
  }
}

Cycle MemoryPortCore::next_request() const {
  return free_.empty() ? kNever : std::max(accesses_.next(), requests_.ready_at());
}

void MemoryPortCore::request(Cycle now) {
  Access& asked = accesses_.pop(now);
  Access& request = source_.allocate();
  request.address = asked.address;
  request.bytes = asked.bytes;
  request.write = asked.write;
  request.partial = asked.partial;
  request.identity = asked.identity;
  request.issued = now;
  request.slot = free_.back();
  free_.pop_back();
  asked_[request.slot] = &asked;
  network_.address(request);
  requests_.send(now, request);
}

void MemoryPortCore::answer(Cycle now) {
  Access& reply = replies_.pop(now);
  Access& asked = *asked_[reply.slot];
  (asked.write ? statistics_.written : statistics_.read) += asked.bytes;
  asked.l2_hit = reply.l2_hit;
  asked.row = reply.row;
  asked.flits = 1;
  free_.push_back(reply.slot);
  source_.release(reply);
  answers_.send(now, asked);
}

}  // namespace gputlm
