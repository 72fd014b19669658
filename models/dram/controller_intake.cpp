/// Choice of the access that enters the queues next.
#include <algorithm>
#include <array>
#include <string>

#include "models/dram/controller_core.h"
#include "tlm/base/error.h"

namespace gputlm {

unsigned DramControllerCore::bursts_of(const Access& access) const {
  const Address last_byte = access.address + std::max<Bytes>(access.bytes, 1) - 1;
  return static_cast<unsigned>((last_byte >> burst_bits_) - (access.address >> burst_bits_) + 1);
}

void DramControllerCore::find_waiting() {
  if (admission_) return find_waiting_in_turn();
  Cycle first = kNever;
  Link* of = nullptr;
  for (Link& link : links_) {
    const Cycle arrival = link.requests.next();
    if (arrival < first) first = arrival, of = &link;
  }
  waiting_.arrival = first;
  if (first == kNever) return;
  const Access& access = of->requests.front();
  const unsigned bursts = bursts_of(access);
  const std::size_t queue = queue_of(access);
  waiting_ = {first, of, bursts, queue};
  if (bursts <= capacity_[queue]) return;
  fail_too_large(bursts, queue == 0 ? "dram.queue" : "dram.write_queue", capacity_[queue]);
}

/// Refuses an access for which its queue can never have room.
void DramControllerCore::fail_too_large(unsigned bursts, const char* allowed, unsigned most) {
  throw InputError("DRAM access: found " + std::to_string(bursts) + " bursts, allowed are " + allowed + " = " +
                   std::to_string(most));
}

/// If applications are admitted separately: finds the access whose turn it is among those that can enter first.
void DramControllerCore::find_waiting_in_turn() {
  Cycle first = kNever;
  AdmissionHeads heads;                      // accesses that can enter in cycle `first`,
  std::array<Waiting, kMaxAdmitted> oldest;  // and the oldest of each application, by arrival
  for (Link& link : links_) {
    const Cycle arrival = link.requests.next();
    if (arrival == kNever) continue;
    const Access& access = link.requests.front();
    const unsigned application = admission_->number(access.identity.application), bursts = bursts_of(access);
    if (!admission_->fits(application, bursts)) {
      const unsigned most = admission_->most();
      if (bursts > most) fail_too_large(bursts, "dram.queue less dram.reserved of the other dram.applications", most);
      continue;
    }
    const Cycle at = std::max(arrival, space_since_);
    if (at > first) continue;
    if (at < first) heads.waiting = 0;
    first = at;
    if ((heads.waiting >> application & 1) == 0 || arrival < oldest[application].arrival) {
      oldest[application] = {arrival, &link, bursts, 0};
      heads.bursts[application] = bursts;
    }
    heads.waiting |= std::uint64_t{1} << application;
  }
  waiting_ = heads.waiting != 0 ? oldest[admission_->next(heads)] : Waiting();
  if (admission.watched()) heads_ = heads;
}

/// True while an access in the other queue has pending bursts, and shares bursts with `access`.
bool DramControllerCore::must_wait(const Access& access, unsigned bursts) const {
  const std::size_t other = 1 - queue_of(access);
  if (queued_[other] == 0) return false;
  const std::uint64_t first = access.address >> burst_bits_, end = first + bursts;
  for (std::uint64_t burst = first; burst < end; ++burst) {
    for (const Request& request : queues_[other][map_.locate_row(burst << burst_bits_).bank].pending) {
      const Access& before = *slots_[request.slot].access;
      const std::uint64_t begin = before.address >> burst_bits_;
      if (begin < end && first < begin + bursts_of(before)) return true;
    }
  }
  return false;
}

}  // namespace gputlm
