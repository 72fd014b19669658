/// The memory accesses of a BlockSm's blocks.
#include <algorithm>
#include <utility>

#include "models/sm/blocks/block_sm.h"

namespace gputlm {

void BlockSm::reply(Cycle now, const Access& access) {
  Place& place = places_[access.slot];
  if (const Group* const group = group_of(place)) {
    const Cycle expected = place.first ? group->requests.first : group->requests.later;
    place.wait += group->requests.exposed * (static_cast<Wait>(now - access.issued) - static_cast<Wait>(expected));
  }
  const Work waits = std::min(place.waits.all - place.waits.last, place.waits.each);
  place.waits.all -= waits;
  place.waiting += waits;
  ++place.replies;
  memory_->load_store.reply(now, access);
}

/// If not all places can issue, they take turns; a turn has one instruction per warp of the place.
void BlockSm::step_memory(Cycle now) {
  Memory& memory = *memory_;
  if (memory.load_store.next() <= now) memory.load_store.step(now, now + 1);
  memory.load_store.clear_results();  // settled() says what is needed
  if (memory.stopping) return;
  for (std::size_t k = 0, i = memory.turn; k < places_.size(); ++k, i = i + 1 == places_.size() ? 0 : i + 1) {
    if (places_[i].launch && !places_[i].held) issue(places_[i], i, now);
  }
}

/// Issues the accesses that are due at `place`, as far as the unit accepts them.
void BlockSm::issue(Place& place, std::size_t index, Cycle now) {
  Memory& memory = *memory_;
  LoadStoreUnit& unit = memory.load_store;
  place.stuck = false;
  while (place.accesses.left() > 0 && place.left <= place.accesses.due()) {
    if (unit.full() || place.launch->counters.memory_requests - place.replies >= place.waits.at_once) {
      place.stuck = true;
      return;
    }
    if (std::exchange(memory.turn, index) != index) memory.issued = 0;
    if (++memory.issued >= place.accesses.warps()) {
      memory.turn = (index + 1) % places_.size();
      memory.issued = 0;
    }
    const BlockAccesses::Next next = place.accesses.take();
    unit.issue(now, {static_cast<unsigned>(index), next.instruction, place.launch, next.position});
  }
}

bool BlockSm::drained() const { return memory_->l1.mshrs_in_use() == 0 && memory_->load_store.idle(); }

Cycle BlockSm::settled(const Place& place) const {
  return memory_ ? memory_->load_store.settled(static_cast<unsigned>(&place - places_.data())) : 0;
}

}  // namespace gputlm
